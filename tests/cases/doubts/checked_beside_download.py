"""A kernel that only looks, and traps at what is no number, beside a download of what it looks at.

With `scale` the kernel writes what is downloaded: the same arguments, and a race. With `print` it
tells what it sees, with `count` it counts in a variable of its own, with `nothing` it does nothing.
"""

import sys

from rocm.bindings import hip, hiprtc

from tests.cases.gpu import TO_DEVICE, TO_HOST, floats, launch, ok

N = 1 << 14
HEAD = "int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return;"
BODIES = {
    "look": "if (x[i] != x[i]) __builtin_trap();",
    "print": 'if (x[i] < 0) printf("%d\\n", i);',
    "count": "if (x[i] != x[i]) atomicAdd(&bad, 1);",
    "nothing": "",
    "scale": "x[i] *= 2;",
}
body = BODIES[sys.argv[1]]
variable = "namespace { __device__ int bad; }\n" if "bad" in body else ""
source = f'{variable}extern "C" __global__ void seen(float* x, int n) {{ {HEAD} {body} }}'
program = ok(hiprtc.hiprtcCreateProgram(source.encode(), b"seen.hip", 0, [], []))
ok(hiprtc.hiprtcCompileProgram(program, 0, []))
code = bytearray(ok(hiprtc.hiprtcGetCodeSize(program)))
ok(hiprtc.hiprtcGetCode(program, code))
kernel = ok(hip.hipModuleGetFunction(ok(hip.hipModuleLoadData(code)), b"seen"))
compute = ok(hip.hipStreamCreateWithFlags(hip.hipStreamNonBlocking))
copies = ok(hip.hipStreamCreateWithFlags(hip.hipStreamNonBlocking))
x = ok(hip.hipMalloc(N * 4))
pinned = ok(hip.hipHostMalloc(N * 4, 0))
ok(hip.hipMemcpy(x, floats(N), N * 4, TO_DEVICE))
launch(kernel, N // 256, 256, compute, x, N)
ok(hip.hipMemcpyAsync(pinned, x, N * 4, TO_HOST, copies))
ok(hip.hipStreamSynchronize(copies))
ok(hip.hipStreamSynchronize(compute))
