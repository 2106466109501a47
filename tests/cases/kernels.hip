// The kernels of the programs in this folder, small versions of what an inference engine has.

struct View {
  float* data;
  int rows;
  int columns;
};

extern "C" {

__global__ void scale(float* x, float factor, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= factor;
}

__global__ void set(float* out, float value, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = value;
}

__global__ void square(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] * in[i];
}

__global__ void add(const float* a, const float* b, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a[i] + b[i];
}

// bias may be null
__global__ void add_bias(const float* x, const float* bias, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = x[i] + (bias ? bias[i] : 0.0f);
}

// every thread has an element
__global__ void negate(const float* in, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = -in[i];
}

// one block for each row
__global__ void rmsnorm(const float* x, const float* weight, float* out, int width) {
  const float* row = x + static_cast<long>(blockIdx.x) * width;
  float sum = 0;
  for (int i = 0; i < width; ++i) sum += row[i] * row[i];
  float norm = rsqrtf(sum / width + 1e-5f);
  for (int i = threadIdx.x; i < width; i += blockDim.x) {
    out[static_cast<long>(blockIdx.x) * width + i] = row[i] * norm * weight[i];
  }
}

// one block for each token, one thread for each pair of a head
__global__ void rope(float* q, const int* positions, int heads, int head_dim) {
  int token = blockIdx.x;
  int position = positions[token];
  float* row = q + static_cast<long>(token) * heads * head_dim;
  for (int i = threadIdx.x; i < heads * head_dim / 2; i += blockDim.x) {
    float angle = position * powf(10000.0f, -2.0f * (i % (head_dim / 2)) / head_dim);
    float a = row[2 * i], b = row[2 * i + 1];
    row[2 * i] = a * cosf(angle) - b * sinf(angle);
    row[2 * i + 1] = a * sinf(angle) + b * cosf(angle);
  }
}

// one thread for each row
__global__ void matvec(const float* w, const float* x, float* y, int rows, int columns) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  for (int i = 0; i < columns; ++i) sum += w[static_cast<long>(row) * columns + i] * x[i];
  y[row] = sum;
}

// one block for each token
__global__ void embed(const float* table, const int* ids, float* out, int width) {
  long id = ids[blockIdx.x];
  for (int i = threadIdx.x; i < width; i += blockDim.x) {
    out[static_cast<long>(blockIdx.x) * width + i] = table[id * width + i];
  }
}

__global__ void kv_append(const float* k, float* cache, int position, int width) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < width) cache[static_cast<long>(position) * width + i] = k[i];
}

// one block in all
__global__ void total(const float* x, float* out, int n) {
  if (threadIdx.x != 0) return;
  float sum = 0;
  for (int i = 0; i < n; ++i) sum += x[i];
  *out = sum;
}

__global__ void argmax(const float* logits, int* best, int n) {
  if (blockIdx.x != 0 || threadIdx.x != 0) return;
  int found = 0;
  for (int i = 1; i < n; ++i) {
    if (logits[i] > logits[found]) found = i;
  }
  *best = found;
}

__global__ void scale_view(View view, float factor) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < view.rows * view.columns) view.data[i] *= factor;
}

// one block for each head of the newest token
__global__ void attention(const float* q, const float* keys, const float* values, float* out,
                          int n_heads, int n_kv_heads, int head_dim, int n_tokens) {
  int head = blockIdx.x;
  int shared_by = n_heads / n_kv_heads;
  const float* query = q + head * head_dim;
  float* result = out + head * head_dim;
  if (threadIdx.x != 0) return;
  for (int i = 0; i < head_dim; ++i) result[i] = 0;
  float sum = 0;
  for (int token = 0; token < n_tokens; ++token) {
    long row = (static_cast<long>(token) * n_kv_heads + head / shared_by) * head_dim;
    float dot = 0;
    for (int i = 0; i < head_dim; ++i) dot += query[i] * keys[row + i];
    float weight = expf(dot / sqrtf(static_cast<float>(head_dim)));
    sum += weight;
    for (int i = 0; i < head_dim; ++i) result[i] += weight * values[row + i];
  }
  for (int i = 0; i < head_dim; ++i) result[i] /= sum;
}

// one thread for each token of the vocabulary
__global__ void project(const float* embedding, const float* hidden, float* logits, int vocab_size,
                        int hidden_size) {
  int token = blockIdx.x * blockDim.x + threadIdx.x;
  if (token >= vocab_size) return;
  float sum = 0;
  for (int i = 0; i < hidden_size; ++i) {
    sum += embedding[static_cast<long>(token) * hidden_size + i] * hidden[i];
  }
  logits[token] = sum;
}

__global__ void swiglu(const float* gate, const float* up, float* out, int n_ff) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n_ff) out[i] = gate[i] / (1.0f + expf(-gate[i])) * up[i];
}

}  // extern "C"
