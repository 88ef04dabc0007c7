// The text of a file: UTF-8, or UTF-16 where its first bytes say so, as PowerShell writes it.
export function decoded(buffer) {
  const [first, second] = new Uint8Array(buffer, 0, Math.min(2, buffer.byteLength));
  const wide = first === 0xff && second === 0xfe ? "utf-16le" : first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
  return new TextDecoder(wide).decode(buffer);
}
