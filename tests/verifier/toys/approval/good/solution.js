export function count(items) {
  return items.length;
}

export async function writeFile({ path, text }, { approve, store }) {
  if ((await approve({ path, text })) !== true) throw Object.assign(new Error('denied'), { code: 'DENIED' });
  await store.put(path, text);
  return { written: true };
}
