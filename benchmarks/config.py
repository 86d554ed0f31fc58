"""Speed of `verifier config`: a cold process, a warm config, many files, and the rivals where they are installed.

    python benchmarks/config.py [FOLDER_OF_CONFIGS] [--rivals PYTHON]

FOLDER holds files with a `config` key, such as the shared truth set; PYTHON is an interpreter with transformers and
torch (and calflops), which build the same models on the meta device.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parent.parent
DEFAULT = ROOT.parent / "shared" / "cases" / "configs" / "truth"

META = """
import json, sys, time, warnings
warnings.simplefilter("ignore")
start = time.perf_counter()
import torch, transformers
from torch.utils.flop_counter import FlopCounterMode
config = json.load(open(sys.argv[1]))
kind = config.pop("model_type")
name = config.pop("architectures")[0]
made = transformers.AutoConfig.for_model(kind, **config)
with torch.device("meta"):
    model = getattr(transformers, name)(made)
tokens = torch.zeros(1, 128, dtype=torch.long, device="meta")
with torch.no_grad(), FlopCounterMode(display=False) as counter:
    model(tokens)
print(sum(p.numel() for p in model.parameters()), counter.get_total_flops(), time.perf_counter() - start)
"""
CALFLOPS = """
import json, sys, time
start = time.perf_counter()
from calflops import calculate_flops
import torch, transformers
config = json.load(open(sys.argv[1]))
kind = config.pop("model_type")
name = config.pop("architectures")[0]
model = getattr(transformers, name)(transformers.AutoConfig.for_model(kind, **config))
tokens = {"input_ids": torch.zeros(1, 128, dtype=torch.long)}
found = calculate_flops(model=model, kwargs=tokens, print_results=False, output_as_string=False)
print(found[2], found[0], time.perf_counter() - start)
"""
SMALL = {"hidden_size": 512, "intermediate_size": 1376, "num_hidden_layers": 8, "vocab_size": 32000}
SMALL |= {"num_attention_heads": 8, "num_key_value_heads": 4, "head_dim": 64}


def cold(path: Path, runs: int = 5) -> float:
    """Seconds of a whole process, the best of a few."""
    command = [sys.executable, "-m", "verifier", "config", str(path), "--format", "json"]
    if not (ROOT / "verifier" / "__main__.py").exists():
        command[1:3] = ["-c", "import sys; from verifier.cli import main; sys.argv[0] = 'verifier'; main()"]
    times: list[float] = []
    for _ in range(runs):
        start = time.perf_counter()
        subprocess.run(command, check=False, capture_output=True)
        times.append(time.perf_counter() - start)
    return min(times)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=DEFAULT)
    parser.add_argument("--rivals", help="a Python with transformers and torch")
    parser.add_argument("--files", type=int, default=10_000)
    options = parser.parse_args()
    configs = [json.loads(p.read_text("utf-8"))["config"] for p in sorted(options.folder.glob("*.json"))]
    if not configs:
        sys.exit(f"{options.folder} holds no configs")
    with tempfile.TemporaryDirectory() as folder:
        measure(configs, Path(folder), options.files, options.rivals)


def measure(configs: list[dict[str, object]], folder: Path, number: int, rivals: str | None) -> None:
    from verifier.config import load

    llama = next((c for c in configs if c["model_type"] == "llama"), configs[0])
    path = folder / "llama.json"
    path.write_text(json.dumps(llama))
    print(f"cold process                    {cold(path):8.3f} s")
    for config in configs:
        load(config).as_json()
    times: list[float] = []
    for config in configs:
        start = time.perf_counter()
        load(config).as_json()
        times.append(time.perf_counter() - start)
    print(f"warm, median of {len(configs):4} configs     {1e3 * statistics.median(times):8.3f} ms")
    for layers in (1, 10_000):
        start = time.perf_counter()
        load({**llama, "num_hidden_layers": layers}).as_json()
        print(f"warm, {layers:6} layers             {1e3 * (time.perf_counter() - start):8.3f} ms")
    many = folder / "many"
    for i in range(number):
        place = many / f"{i:05}"
        place.mkdir(parents=True)
        (place / "config.json").write_text(json.dumps(configs[i % len(configs)]))
    code = "import sys; from verifier.cli import main; sys.argv[0] = 'verifier'; main()"
    command = [sys.executable, "-c", code, "config", str(many), "--format", "json", "--jobs", "2"]
    start = time.perf_counter()
    subprocess.run(command, check=False, stdout=subprocess.DEVNULL)
    print(f"{number} files, two processes   {time.perf_counter() - start:8.1f} s")
    if rivals:
        compare(path, rivals, "the same, transformers on meta  ", META, cold(path, 2))
        # calflops fills every weight, so that it is asked about a model that fits.
        small = folder / "small.json"
        small.write_text(json.dumps({**llama, **SMALL}))
        ours = load({**llama, **SMALL})
        print(f"a small llama, cold             {cold(small, 2):8.3f} s     {ours.params} {ours.flops(128, 1)}")
        for name, script in (("  transformers on meta", META), ("  calflops", CALFLOPS)):
            compare(small, rivals, f"{name:32}", script, cold(small, 2))


def compare(path: Path, rivals: str, name: str, script: str, ours: float) -> None:
    """One process of a rival, what it says (parameters, FLOPs), and how many times as long it took."""
    start = time.perf_counter()
    done = subprocess.run([rivals, "-c", script, str(path)], check=False, capture_output=True, text=True)
    took = time.perf_counter() - start
    if done.returncode:
        print(f"{name}  failed or not installed: {done.stderr.strip().splitlines()[-1:]}")
    else:
        said = " ".join(done.stdout.split()[-3:-1])
        print(f"{name}{took:8.3f} s  {took / ours:6.1f} x   {said}")


if __name__ == "__main__":
    main()
