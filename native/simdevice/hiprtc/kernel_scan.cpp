#include "hiprtc/kernel_scan.h"

#include <iterator>
#include <string_view>

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
      : scan_{{}, std::move(text), {}}, tokens_(tokenize(scan_.text, own_headers)) {}

  KernelScan run() {
    while (at_ < tokens_.size()) declaration();
    find_dynamic_shared();
    find_shared_attributes();
    find_attributes();
    // The tokens point into the text, so it may only change now.
    for (const Token& token : to_blank_) replace(token, std::string(token.text.size(), ' '));
    for (const Token& token : specializations_) replace(token, "__kernel__");
    for (const Token& token : shared_attributes_) replace(token, "__shared__");
    for (const Token& token : dynamic_shared_) replace(token, "__dynamic_");
    for (const Token& token : attributes_) replace(token, "noinline    ");
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
      for (const char* word :
           {"inline", "__inline__", "__inline", "__forceinline__", "__noinline__"})
        blank_word(head, word);
      bool is_member = !scopes_.empty() && scopes_.back().kind == Scope::kClass;
      if (!is_member) blank_word(head, "static");
      for (const Token& token : head.attributes()) to_blank_.push_back(token);
    }
    if (head.is_explicit_specialization()) mark_specialization(head);
    if (!head.returns_void())
      scan_.errors += position_of(scan_.text, head.name_offset()) + ": error: kernel function '" +
                      head.declared_name() + "' must have void return type\n";
    if (has_body || head.is_explicit_instantiation()) scan_.kernels.push_back(describe(head));
  }

  // GCC refuses in a specialization what it asks for in the template; keywords.h has another
  // keyword of the same length.
  void mark_specialization(const Declaration& head) {
    for (const Token& token : head.before_parameters())
      if (token.is("__global__")) specializations_.push_back(token);
  }

  // In function bodies too, which declaration() does not look into.
  void find_dynamic_shared() {
    for (size_t i = 1; i + 1 < tokens_.size(); ++i)
      if (tokens_[i].is("__shared__") &&
          (tokens_[i - 1].is("extern") || tokens_[i + 1].is("extern")))
        dynamic_shared_.push_back(tokens_[i]);
  }

  // __attribute__((shared)), as clang's own headers write the keyword. To g++ it means nothing, and
  // the variable would be each thread's own.
  void find_shared_attributes() {
    constexpr std::string_view kSpelling[] = {"__attribute__", "(", "(", "shared", ")", ")"};
    constexpr size_t kTokens = std::size(kSpelling);
    for (size_t i = 0; i + kTokens < tokens_.size(); ++i) {
      size_t same = 0;
      while (same < kTokens && tokens_[i + same].is(kSpelling[same])) ++same;
      if (same < kTokens) continue;
      const bool is_dynamic =
          (i > 0 && tokens_[i - 1].is("extern")) || tokens_[i + kTokens].is("extern");
      (is_dynamic ? dynamic_shared_ : shared_attributes_).push_back(tokens_[i]);
      for (size_t part = 0; part < kTokens; ++part) to_blank_.push_back(tokens_[i + part]);
    }
  }

  // __attribute__((__noinline__)), as libstdc++ writes it, has HIP's keyword in it.
  void find_attributes() {
    for (size_t i = 1; i < tokens_.size(); ++i)
      if (tokens_[i].is("__noinline__") && (tokens_[i - 1].is("(") || tokens_[i - 1].is(",")))
        attributes_.push_back(tokens_[i]);
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
  // By a text of the same length.
  void replace(const Token& token, const std::string& text) {
    scan_.text.replace(token.offset, text.size(), text);
  }

  KernelScan scan_;
  Tokens tokens_;
  Tokens to_blank_;
  Tokens specializations_;
  Tokens dynamic_shared_;
  Tokens shared_attributes_;
  Tokens attributes_;
  std::vector<Scope> scopes_;
  size_t at_ = 0;
};

}  // namespace

KernelScan scan_kernels(std::string preprocessed, std::string_view own_headers) {
  return Scanner(std::move(preprocessed), own_headers).run();
}

}  // namespace greta::hiprtc
