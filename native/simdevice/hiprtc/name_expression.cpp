#include "hiprtc/name_expression.h"

#include <algorithm>
#include <cctype>

namespace greta::hiprtc {
namespace {

bool is_blank(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

std::string without_blanks(std::string text) {
  text.erase(std::remove_if(text.begin(), text.end(), is_blank), text.end());
  return text;
}

}  // namespace

std::string bare_name(const std::string& expression) {
  size_t begin = 0;
  size_t end = expression.size();
  for (;;) {
    while (begin < end && (is_blank(expression[begin]) || expression[begin] == '&')) ++begin;
    while (end > begin && is_blank(expression[end - 1])) --end;
    bool wrapped = end - begin >= 2 && expression[begin] == '(' && expression[end - 1] == ')';
    if (!wrapped) return expression.substr(begin, end - begin);
    ++begin;
    --end;
  }
}

std::string normal_form(const std::string& expression) {
  return without_blanks(bare_name(expression));
}

std::string last_name(const std::string& qualified) {
  std::string name = qualified.substr(0, qualified.find('<'));
  return without_blanks(name.substr(name.rfind(':') + 1));
}

}  // namespace greta::hiprtc
