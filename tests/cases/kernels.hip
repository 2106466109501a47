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

// only mode 2 has a bias
__global__ void biased(const float* x, const float* bias, float* out, int mode, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = x[i] + (mode == 2 ? bias[i] : 0.0f);
}

// what whole blocks have left
__global__ void tail(const float* in, float* out, int begin, int end) {
  for (int i = begin + threadIdx.x; i < end; i += blockDim.x) out[i] = in[i];
}

__global__ void blend(const float* c, float* out, float beta, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 1.0f + (beta != 0.0f ? beta * c[i] : 0.0f);
}

// pages of 64 elements; a negative one is not there
__global__ void paged(const float* cache, const int* pages, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int page = pages[i / 64];
  out[i] = page < 0 ? 0.0f : cache[page * 64 + i % 64];
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

// the same, and no pointer says that it only reads
__global__ void lookup(float* table, int* ids, float* out, int width) {
  long id = ids[blockIdx.x];
  for (int i = threadIdx.x; i < width; i += blockDim.x) {
    out[static_cast<long>(blockIdx.x) * width + i] = table[id * width + i];
  }
}

__global__ void pick(float* logits, int* best, int n) {
  int found = 0;
  for (int i = 1; i < n; ++i) {
    if (logits[i] > logits[found]) found = i;
  }
  *best = found;
}

__global__ void next_id(const int* id, int* next, int rows) { *next = (*id + 1) % rows; }

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

// loads whole rows; what lies behind their width is not used
__global__ void sum_padded(const float* table, float* sums, int width, int pitch) {
  const float* row = table + static_cast<long>(threadIdx.x) * pitch;
  float sum = 0;
  for (int i = 0; i < pitch; ++i) {
    volatile float value = row[i];
    sum += i < width ? value : 0.0f;
  }
  sums[threadIdx.x] = sum;
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

// takes its time and no memory
__global__ void linger(int rounds) {
  volatile int left = rounds;
  while (left > 0) left = left - 1;
}

// the place is an argument of its own
__global__ void write_at(float* base, int offset, float value, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) base[offset + i] = value;
}

__global__ void write_half(float* keys_and_values, int second, float value, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) keys_and_values[second * n + i] = value;
}

__global__ void write_rows(float* out, int first, int step, int rows, int width, float value) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < rows * width) out[(first + i / width * step) * width + i % width] = value;
}

__global__ void count_atomically(const int* values, int* bins, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&bins[values[i]], 1);
}

// right only where nobody else counts
__global__ void count_alone(const int* values, int* bins, int n) {
  if (blockIdx.x != 0 || threadIdx.x != 0) return;
  for (int i = 0; i < n; ++i) bins[values[i]] = bins[values[i]] + 1;
}

__global__ void check(const float* x, int* flag, float limit, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && x[i] > limit) *flag = 1;
}

// weights is not const, and only read
__global__ void weigh(float* weights, const float* x, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = weights[i] * x[i];
}

// weights is not const, and written
__global__ void weigh_and_decay(float* weights, const float* x, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = weights[i] * x[i];
  weights[i] = weights[i] * 0.5f;
}

__global__ void scatter(const int* places, float* out, float value, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[places[i]] = value;
}

__global__ void gather(const float* table, const int* ids, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = table[ids[i]];
}

__global__ void fill_through_table(float* const* table, int which, float value, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) table[which][i] = value;
}

__global__ void read_through_table(const float* const* table, float* out, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = table[i][0];
}

__device__ const float* current_weights;

__global__ void read_through_global(float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = current_weights[i];
}

__global__ void shifted(const float* in, float* out, int shift, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i + shift];
}

// the index is computed in 32 bits
__global__ void take_row(const float* table, float* out, int row, int width) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int first = static_cast<int>(static_cast<unsigned>(row) * static_cast<unsigned>(width));
  if (i < width) out[i] = table[first + i];
}

__global__ void copy_vectors(const float4* in, float4* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
}

// scratch is used on request
__global__ void with_scratch(float* x, float* scratch, int uses_it, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (uses_it) scratch[i] = x[i];
  x[i] = x[i] + 1.0f;
}

__global__ void wait_for(int* flag) {
  if (blockIdx.x != 0 || threadIdx.x != 0) return;
  while (atomicAdd(flag, 0) == 0) {
  }
}

__global__ void raise_flag(int* flag) {
  if (blockIdx.x == 0 && threadIdx.x == 0) atomicExch(flag, 1);
}

// one block each; the flag says that all of `data` is there
__global__ void hand_over(float* data, int* flag, float value) {
  data[threadIdx.x] = value;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) atomicExch(flag, 1);
}

__global__ void take_over(const float* data, int* flag, float* out) {
  if (threadIdx.x == 0) {
    while (atomicAdd(flag, 0) == 0) {
    }
  }
  __syncthreads();
  out[threadIdx.x] = data[threadIdx.x];
}

// the same with a flag that is stored and loaded
__global__ void hand_over_by_store(float* data, int* flag, float value) {
  data[threadIdx.x] = value;
  __syncthreads();
  if (threadIdx.x == 0) {
    __hip_atomic_store(flag, 1, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT);
  }
}

__global__ void take_over_by_load(const float* data, int* flag, float* out) {
  if (threadIdx.x == 0) {
    while (__hip_atomic_load(flag, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT) == 0) {
    }
  }
  __syncthreads();
  out[threadIdx.x] = data[threadIdx.x];
}

// and with one that is volatile
__global__ void hand_over_volatile(float* data, volatile int* flag, float value) {
  data[threadIdx.x] = value;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) *flag = 1;
}

__global__ void take_over_volatile(const float* data, volatile int* flag, float* out) {
  if (threadIdx.x == 0) {
    while (*flag == 0) {
    }
    __threadfence();
  }
  __syncthreads();
  out[threadIdx.x] = data[threadIdx.x];
}

__global__ void sum_of_block(const float* x, float* out) {
  extern __shared__ float shared[];
  shared[threadIdx.x] = x[blockIdx.x * blockDim.x + threadIdx.x];
  __syncthreads();
  if (threadIdx.x != 0) return;
  float sum = 0;
  for (unsigned i = 0; i < blockDim.x; ++i) sum += shared[i];
  out[blockIdx.x] = sum;
}

// What follows gives away less by its arguments.

__global__ void lower(float* x, float value, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = value;
}

__global__ void upper(float* x, float value, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[n + i] = value;
}

__global__ void evens(float* x, float value, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[2 * i] = value;
}

__global__ void odds(float* x, float value, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[2 * i + 1] = value;
}

__global__ void inside(float* x, float value, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n / 4 && i < n - n / 4) x[i] = value;
}

__global__ void edges(float* x, float value, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n / 4 || (i >= n - n / 4 && i < n)) x[i] = value;
}

__global__ void downwards(float* x, float value, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[-1 - i] = value;
}

__global__ void told(const int* on, const float* x, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = *on ? x[i] : 0.0f;
}

__global__ void first_only(float* x, float value, int n) {
  if (n > 0 && blockIdx.x == 0 && threadIdx.x == 0) x[0] = value;
}

__global__ void last_only(float* x, float value, int n) {
  if (blockIdx.x * blockDim.x + threadIdx.x == n - 1) x[n - 1] = value;
}

__global__ void read_first(const float* x, float* out, int n) {
  if (n > 0 && blockIdx.x == 0 && threadIdx.x == 0) *out = x[0];
}

__global__ void read_last(const float* x, float* out, int n) {
  if (blockIdx.x == 0 && threadIdx.x == 0) *out = x[n - 1];
}

__global__ void maybe_set(float* x, int* enabled, float value, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (*enabled && i < n) x[i] = value;
}

__device__ int offset_of_device;

__global__ void from_global(float* x, float value, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[offset_of_device + i] = value;
}

__global__ void per_block(const float* x, float* out) {
  if (threadIdx.x != 0) return;
  float sum = 0;
  for (unsigned i = 0; i < blockDim.x; ++i) sum += x[blockIdx.x * blockDim.x + i];
  out[blockIdx.x] = sum;
}

__global__ void grid_stride(float* x, float value, int n) {
  int step = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) x[i] = value;
}

// scratch is used in mode 1
__global__ void with_mode(float* x, float* scratch, int mode, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (mode == 1) scratch[i] = x[i];
  x[i] = x[i] + 1.0f;
}

// other is read in mode 1
__global__ void mode_reads(float* x, const float* other, int mode, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (mode == 1) x[i] += other[i];
  x[i] = x[i] + 1.0f;
}

__device__ float factor_of_device = 2.0f;

__global__ void use_factor(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = x[i] * factor_of_device;
}

__global__ void bump(int* counter) {
  if (threadIdx.x == 0) atomicAdd(counter, 1);
}

struct Holder {
  float* data;
  int n;
  int unused;
};

__global__ void through_struct(const Holder* holder, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < holder->n) out[i] = holder->data[i];
}

// the first word of each node is the address of the next
__global__ void follow(const long* node, float* out, int hops) {
  if (blockIdx.x != 0 || threadIdx.x != 0) return;
  float sum = 0;
  for (int i = 0; i < hops; ++i) {
    sum += static_cast<float>(node[1]);
    node = reinterpret_cast<const long*>(node[0]);
  }
  *out = sum;
}

__global__ void take_far(const float* table, float* out, unsigned row, unsigned width) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < width) out[i] = table[static_cast<long>(row) * width + i];
}

__global__ void by_offsets(float* base, const int* offsets, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) base[offsets[i]] += 1.0f;
}

__global__ void off_by_one(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n) out[i] = in[i];
}

__global__ void write_before(float* x, int from, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i - from] = 1.0f;
}

__global__ void trap_if(const int* flag) {
  if (*flag) __builtin_trap();
}

__global__ void write_evens(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && i % 2 == 0) out[i] = in[i];
}

__device__ float row_of_device[64];

__global__ void put_row(const float* in, int n) {
  int i = threadIdx.x;
  if (i < n) row_of_device[i] = in[i];
}

__global__ void get_row(float* out, int n) {
  int i = threadIdx.x;
  if (i < n) out[i] = row_of_device[i];
}

struct Options {
  float factor;
  int takes_it;
};

__global__ void told_by_struct(Options options, const float* x, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = options.takes_it ? options.factor * x[i] : 0.0f;
}

__global__ void told_by_shorts(const short* lengths, const float* x, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i < lengths[0] ? x[i] : 0.0f;
}

__global__ void told_by_mask(const unsigned char* mask, const float* x, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = mask[i] ? x[i] : 0.0f;
}

// loads every slot of a cache, and counts those that are filled
__global__ void sum_filled(const float* cache, float* out, int filled, int slots) {
  float sum = 0;
  for (int i = 0; i < slots; ++i) {
    volatile float value = cache[i];
    sum += i < filled ? value : 0.0f;
  }
  *out = sum;
}

// loads the next tile beside this one, into the cache of the device
__global__ void square_ahead(const float* in, const float* next, float* out, int uses_it, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  volatile float ahead = next[i];
  out[i] = in[i] * in[i] + (uses_it == 1 ? ahead : 0.0f);
}

struct Extra {
  float* x;
  float* extra;
  int uses_it;
  int n;
};

__global__ void add_extra(Extra given) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < given.n) given.x[i] += given.uses_it ? given.extra[i] : 1.0f;
}

__global__ void check_ids(const int* ids, int rows, int n) {
  if (threadIdx.x < n) assert(ids[threadIdx.x] < rows);
}

}  // extern "C"
