// Runs Python with attnscope.py as a notebook would have it. Knows where it was built, and which Python has numpy.
import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { build } from './browser.mjs';

const python = ['python3', '/usr/bin/python3'].find((each) => spawnSync(each, ['-c', 'import numpy']).status === 0);
assert.ok(python, 'no python3 here has numpy; run scripts/setup, which installs python3-numpy');

// Tensors as PyTorch has them: no numpy type for bfloat16, and none at all before detach().cpu().
const BEFORE = `
import json, sys
import numpy as np
import attnscope
from attnscope import show, save

class Tensor:
    def __init__(self, array, dtype="torch.float32", ready=False):
        self.array, self.dtype, self.ready = np.asarray(array), dtype, ready
        self.ndim, self.shape = self.array.ndim, self.array.shape
    def detach(self): return self
    def cpu(self): return Tensor(self.array, self.dtype, True)
    def float(self): return Tensor(self.array.astype("float32"), "torch.float32", self.ready)
    def numpy(self):
        if not self.ready or self.dtype == "torch.bfloat16": raise TypeError("Got unsupported ScalarType BFloat16")
        return self.array

def softmax(scores):
    e = np.exp(scores - scores.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)

random = np.random.default_rng(7)
tell = lambda what: print(json.dumps(what))
`;

// What the lines tell(…), from JSON. They run in `folder`, with the module of `home`.
export function inPython(folder, lines, home = build) {
  const env = { ...process.env, PYTHONPATH: home, PYTHONDONTWRITEBYTECODE: '1', PYTHONIOENCODING: 'utf-8' };
  const { status, stdout, stderr } = spawnSync(python, ['-W', 'error', '-c', BEFORE + lines], { cwd: folder, env, encoding: 'utf8', maxBuffer: 1 << 28 });
  assert.equal(status, 0, stderr);
  return stdout ? JSON.parse(stdout) : null;
}
