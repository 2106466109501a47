// The kernels of kernels.hip as plain loops, for the CPU (g++ -O2).
#include <cmath>

extern "C" {

void saxpy(float* y, const float* x, float a, int n) {
  for (int i = 0; i < n; ++i) y[i] = a * x[i] + y[i];
}

void gemm(float* c, const float* a, const float* b, int n) {
  for (int y = 0; y < n; ++y) {
    for (int x = 0; x < n; ++x) {
      float sum = 0;
      for (int k = 0; k < n; ++k) sum += a[y * n + k] * b[k * n + x];
      c[y * n + x] = sum;
    }
  }
}

void rmsnorm(float* out, const float* in, const float* weight, int rows, int n) {
  for (long r = 0; r < rows; ++r) {
    float sum = 0;
    for (int i = 0; i < n; ++i) sum += in[r * n + i] * in[r * n + i];
    const float scale = 1 / std::sqrt(sum / n + 1e-5f);
    for (int i = 0; i < n; ++i) out[r * n + i] = in[r * n + i] * scale * weight[i];
  }
}

void collatz(unsigned* steps, int n) {
  for (int i = 0; i < n; ++i) {
    unsigned x = i + 1, count = 0;
    while (x != 1) {
      x = x & 1 ? 3 * x + 1 : x / 2;
      ++count;
    }
    steps[i] = count;
  }
}

void shuffle_sum(int* sums, const int* values, int n) {
  for (int i = 0; i < n; i += 64) {
    int sum = 0;
    for (int k = 0; k < 64; ++k) sum += values[i + k];
    sums[i / 64] = sum;
  }
}
}
