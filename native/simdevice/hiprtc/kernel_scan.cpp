#include "hiprtc/kernel_scan.h"

#include <algorithm>

#include "hiprtc/declaration.h"
#include "hiprtc/tokens.h"

namespace greta::hiprtc {
namespace {

struct Scope {
  enum Kind { kNamespace, kTransparent, kClass } kind;
  std::string name;
};

class Scanner {
 public:
  Scanner(std::string text, std::string_view own_headers)
      : scan_{{}, std::move(text)}, tokens_(tokenize(scan_.text, own_headers)) {}

  KernelScan run() {
    while (at_ < tokens_.size()) declaration();
    // The tokens point into the text, so it may only change now.
    for (const Token& token : to_blank_) blank(token);
    return std::move(scan_);
  }

 private:
  // One declaration of a namespace or class: up to its ';', its body, or the '{' of a scope.
  void declaration() {
    if (tokens_[at_].is("}")) return close_scope();
    size_t begin = at_;
    while (at_ < tokens_.size()) {
      const Token& token = tokens_[at_];
      if (token.is("(") || token.is("[")) {
        at_ = after_group(tokens_, at_);
      } else if (token.is(";")) {
        ++at_;
        return finish(begin, at_ - 1, false);
      } else if (token.is("{")) {
        if (open_brace(begin)) return;
      } else if (token.is("}")) {
        return;
      } else {
        ++at_;
      }
    }
  }

  // True when the brace ends the declaration that began at `begin`.
  bool open_brace(size_t begin) {
    Declaration head(tokens_, begin, at_);
    if (head.opens_namespace()) return enter(Scope::kNamespace, head.namespace_name());
    if (head.opens_linkage()) return enter(Scope::kTransparent, "");
    if (head.opens_class()) return enter(Scope::kClass, head.class_name());
    size_t end = at_;
    at_ = after_group(tokens_, at_);
    if (!head.has_parameters() || head.has_initializer()) return false;  // a braced initializer
    finish(begin, end, true);
    return true;
  }

  bool enter(Scope::Kind kind, std::string name) {
    scopes_.push_back({kind, std::move(name)});
    ++at_;
    return true;
  }

  void close_scope() {
    if (!scopes_.empty()) scopes_.pop_back();
    ++at_;
  }

  void finish(size_t begin, size_t end, bool has_body) {
    Declaration head(tokens_, begin, end);
    if (head.has("__global__") && head.has_parameters())
      kernel(head, has_body);
    else if ((head.has("__constant__") || head.has("__device__")) && !head.has_parameters())
      variable(head);
  }

  void kernel(const Declaration& head, bool has_body) {
    if (head.is_explicit_instantiation()) {
      // The entry function instantiates the kernel; the compiler must not do it once more.
      blank_all(head);
    } else {
      for (const char* word : {"static", "inline", "__inline__", "__inline", "__forceinline__"})
        blank_word(head, word);
    }
    if (has_body || head.is_explicit_instantiation()) scan_.kernels.push_back(describe(head));
  }

  // A static variable that the kernels only read would become a compile-time constant, although
  // the host may write it.
  void variable(const Declaration& head) {
    if (!head.has("const") && !head.has("constexpr")) blank_word(head, "static");
  }

  FoundKernel describe(const Declaration& head) const {
    FoundKernel kernel;
    std::string in_class;
    for (const Scope& scope : scopes_) {
      if (scope.kind == Scope::kNamespace) kernel.namespaces.push_back(scope.name);
      if (scope.kind == Scope::kClass) in_class += scope.name + "::";
    }
    kernel.name = in_class + head.declared_name();
    kernel.parameters = head.parameters();
    kernel.parameter_types = head.parameter_types();
    kernel.launch_bound = head.launch_bound();
    kernel.is_template = head.is_template();
    return kernel;
  }

  void blank_word(const Declaration& head, std::string_view word) {
    for (const Token& token : head.before_parameters())
      if (token.is(word)) to_blank_.push_back(token);
  }
  void blank_all(const Declaration& head) {
    for (const Token& token : head.all()) to_blank_.push_back(token);
  }
  void blank(const Token& token) {
    std::fill_n(scan_.text.begin() + static_cast<std::ptrdiff_t>(token.offset),
                token.text.size(), ' ');
  }

  KernelScan scan_;
  Tokens tokens_;
  Tokens to_blank_;
  std::vector<Scope> scopes_;
  size_t at_ = 0;
};

}  // namespace

KernelScan scan_kernels(std::string preprocessed, std::string_view own_headers) {
  return Scanner(std::move(preprocessed), own_headers).run();
}

}  // namespace greta::hiprtc
