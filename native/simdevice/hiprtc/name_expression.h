// Name expressions: how a program names the kernel instances and variables it wants to find.
#pragma once

#include <string>

namespace greta::hiprtc {

// The named thing itself: "&ns::kern<int>" and "(kern<int>)" mean the same as "kern<int>".
std::string bare_name(const std::string& expression);

// The same text for all ways to write the same expression.
std::string normal_form(const std::string& expression);

// The name without scopes and template arguments.
std::string last_name(const std::string& qualified);

}  // namespace greta::hiprtc
