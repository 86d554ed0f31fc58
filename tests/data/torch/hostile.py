import torch
from torch import nn, Tensor
from jaxtyping import Complex, Float
import torch.nn.functional as F
def f_renorm(x: Float[Tensor,"n d"]) -> Float[Tensor,"n d"]:
    return torch.renorm(x, 2, 0, 1.0)
def f_rot(x: Float[Tensor,"b h w"]) -> Float[Tensor,"b w h"]:
    return torch.rot90(x, 1, (1,2))
def f_lrn(x: Float[Tensor,"b c h w"]) -> Float[Tensor,"b c h w"]:
    return F.local_response_norm(x, 2)
def f_fft(x: Float[Tensor,"b n"]) -> Float[Tensor,"b n//2+1"]:
    return torch.fft.rfft(x).abs()
class L(nn.Module):
    def __init__(self, d: int, h: int):
        super().__init__()
        self.rnn = nn.LSTM(d, h, batch_first=True)
    def forward(self, x: Float[Tensor,"b n d"]) -> Float[Tensor,"b n h"]:
        return self.rnn(x)[0]
def bad_fold(x: Float[Tensor,"b n m"]) -> Float[Tensor,"b n n"]:
    return torch.linalg.inv(x)
def f_item(x: Float[Tensor,"n"]) -> Float[Tensor,"n"]:
    if x.sum().item() > 0: return x
    return -x
class Fn(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x); return x.exp()
    @staticmethod
    def backward(ctx, g): return g
def f_custom(x: Float[Tensor,"n"]) -> Float[Tensor,"n"]: return Fn.apply(x)
@torch.jit.script
def f_script(x: Float[Tensor,"n"]) -> Float[Tensor,"n"]: return x.exp()
@torch.compile
def f_compile(x: Float[Tensor,"n"]) -> Float[Tensor,"n"]: return x.exp()
def f_cuda(x: Float[Tensor,"n"]) -> Float[Tensor,"n"]: return x.cuda()+1
class WN(nn.Module):
    def __init__(self, d: int):
        super().__init__()
        self.l = nn.utils.parametrizations.weight_norm(nn.Linear(d, d))
    def forward(self, x: Float[Tensor,"b d"]) -> Float[Tensor,"b d"]: return self.l(x)
class SN(nn.Module):
    def __init__(self, d: int):
        super().__init__()
        self.l = nn.utils.weight_norm(nn.Linear(d, d))
    def forward(self, x: Float[Tensor,"b d"]) -> Float[Tensor,"b d"]: return self.l(x)
class Hook(nn.Module):
    def __init__(self, d: int):
        super().__init__()
        self.l = nn.Linear(d, d); self.l.register_forward_hook(lambda m,i,o: o[:, :1])
    def forward(self, x: Float[Tensor,"b d"]) -> Float[Tensor,"b d"]: return self.l(x)
class NoInit(nn.Module):
    def __init__(self, dim, heads=4):
        super().__init__()
        self.l = nn.Linear(dim, dim)
    def forward(self, x: Float[Tensor,"b dim"]) -> Float[Tensor,"b dim"]: return self.l(x)
def f_grad(x: Float[Tensor,"n"]) -> Float[Tensor,"n"]:
    y = (x*x).sum(); y.backward(); return x.grad
def f_numpy(x: Float[Tensor,"n"]) -> Float[Tensor,"n"]:
    return torch.from_numpy(x.numpy())
def f_loop(x: Float[Tensor,"n d"]) -> Float[Tensor,"n d"]:
    return torch.stack([x[i] for i in range(x.shape[0])])
def f_inplace(x: Float[Tensor,"n d"]) -> Float[Tensor,"n d"]:
    y = x.clone(); y[:, 0] += 1; y.add_(1).mul_(2); y.t()[0] *= 3; return y
def f_vmap(x: Float[Tensor,"n d"]) -> Float[Tensor,"n"]:
    return torch.vmap(torch.sum)(x)
def f_autocast(x: Float[Tensor,"n d"], w: Float[Tensor,"d d"]) -> Float[Tensor,"n d"]:
    with torch.autocast("cpu", dtype=torch.bfloat16): return (x @ w).float()
def f_named(x: Float[Tensor,"b n n"]) -> Complex[Tensor,"b n"]:
    return torch.linalg.eig(x).eigenvalues
def gpu_to(x: Float[Tensor,"n"]) -> Float[Tensor,"n"]: return x.to("cuda") + 1
def gpu_number(x: Float[Tensor,"n"]) -> Float[Tensor,"n"]: return x.to(0)
def gpu_option(x: Float[Tensor,"n"]) -> Float[Tensor,"n"]: return x.to(device="cuda:1", non_blocking=True)
def gpu_made(x: Float[Tensor,"n"]) -> Float[Tensor,"n"]:
    return x + torch.zeros(x.shape[0], device=torch.device("cuda"))
def gpu_like(x: Float[Tensor,"n"]) -> Float[Tensor,"n"]: return x + torch.zeros_like(x, device="mps")
def gpu_new(x: Float[Tensor,"n"]) -> Float[Tensor,"n"]: return x + x.new_ones(x.shape, device="cuda")
def gpu_of_numbers(x: Float[Tensor,"n"]) -> Float[Tensor,"n"]: return x + torch.arange(3, device="cuda").sum()
HELD = torch.ones(3)
def gpu_real(x: Float[Tensor,"n"]) -> Float[Tensor,"n"]: return x + HELD.cuda().sum()
def gpu_type(x: Float[Tensor,"n"]) -> Float[Tensor,"n"]: return x.type("torch.cuda.FloatTensor")
def gpu_pinned(x: Float[Tensor,"n"]) -> Float[Tensor,"n"]: return x.pin_memory()
def gpu_within(x: Float[Tensor,"n"]) -> Float[Tensor,"n"]:
    with torch.device("cuda"): return x + torch.ones(x.shape[0])
def gpu_waits(x: Float[Tensor,"n"]) -> Float[Tensor,"n"]:
    y = x + 1
    torch.cuda.synchronize()
    return y
def gpu_stream(x: Float[Tensor,"n"]) -> Float[Tensor,"n"]:
    with torch.cuda.stream(torch.cuda.Stream()): return x + 1
def gpu_caught(x: Float[Tensor,"n"]) -> Float[Tensor,"n"]:
    try: return x.cuda()
    except RuntimeError: return x
class GpuLayer(nn.Module):
    def __init__(self, d: int):
        super().__init__()
        self.l = nn.Linear(d, d, device="cuda")
    def forward(self, x: Float[Tensor,"b d"]) -> Float[Tensor,"b d"]: return self.l(x)
class GpuModule(nn.Module):
    def __init__(self, d: int):
        super().__init__()
        self.l = nn.Linear(d, d).cuda()
    def forward(self, x: Float[Tensor,"b d"]) -> Float[Tensor,"b d"]: return self.l(x)
def cpu_named(x: Float[Tensor,"n"]) -> Float[Tensor,"n"]:
    with torch.device("cpu"): return x.to("cpu").to(x) + torch.ones(x.shape[0], device=x.device)
def gpu_if_there(x: Float[Tensor,"n"]) -> Float[Tensor,"n"]:
    return x.to("cuda" if torch.cuda.is_available() else "cpu")
