// The repository's own files, for the tests beside this one. Reads what git tracks, so build folders stay out.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

const listed = ['ls-files', '--cached', '--others', '--exclude-standard', '-z'];
export const tracked = execFileSync('git', ['-c', 'safe.directory=*', ...listed], { cwd: root, encoding: 'utf8' })
  .split('\0').filter((path) => path && existsSync(root + path));

export function read(path) {
  return readFileSync(root + path, 'utf8');
}

// "src/core/mask.h" matches under('src', 'h', 'cpp').
export function under(folder, ...extensions) {
  return tracked.filter((path) => path.startsWith(`${folder}/`) && extensions.includes(path.split('.').pop()));
}
