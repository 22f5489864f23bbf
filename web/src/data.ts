// The numbers of a page: decoded from the page itself, or fetched by ranges when they are wanted.
import type { ArrayRef, Page } from "./page";

export type Numbers = Float32Array | Float64Array;
type Reader = (begin: number, end: number) => Promise<Uint8Array>;

const bytesOf = { f32: 4, i16: 2, u16: 2, i32: 4, u8: 1 };
const gapWorthReading = 16384; // [bytes]: two ranges this near are read as one

export class Arrays {
  private decoded = new Map<string, Numbers>();
  private pending = new Map<string, Promise<void>>();

  constructor(private read: Reader) {}

  // Ranges that lie close together come in one request.
  async load(refs: ArrayRef[]): Promise<void> {
    const waiting = refs.flatMap((ref) => this.pending.get(keyOf(ref)) ?? []);
    const missing = refs
      .filter((ref) => ref.length > 0 && !this.decoded.has(keyOf(ref)) && !this.pending.has(keyOf(ref)))
      .sort((a, b) => a.offset - b.offset);
    for (let i = 0; i < missing.length;) {
      const together = [missing[i]!];
      let end = endOf(missing[i]!);
      for (++i; i < missing.length && missing[i]!.offset <= end + gapWorthReading; ++i) {
        together.push(missing[i]!);
        end = Math.max(end, endOf(missing[i]!));
      }
      const done = this.readTogether(together, end);
      for (const ref of together) this.pending.set(keyOf(ref), done);
      waiting.push(done);
    }
    await Promise.all(waiting);
  }

  get(ref: ArrayRef): Numbers {
    const numbers = ref.length === 0 ? new Float32Array(0) : this.decoded.get(keyOf(ref));
    if (!numbers) throw new Error(`the array at byte ${ref.offset} is not loaded`);
    return numbers;
  }

  private async readTogether(refs: ArrayRef[], end: number): Promise<void> {
    const begin = refs[0]!.offset;
    try {
      const bytes = await this.read(begin, end);
      for (const ref of refs) this.decoded.set(keyOf(ref), decode(ref, bytes, ref.offset - begin));
    } finally {
      for (const ref of refs) this.pending.delete(keyOf(ref));
    }
  }
}

export async function openArrays(page: Page): Promise<Arrays> {
  if (page.data_url) return new Arrays(rangeReader(page.data_url));
  const element = document.getElementById("footfall-data");
  const text = element?.textContent?.trim() ?? "";
  element?.remove(); // several megabytes
  return embeddedArrays(text);
}

export async function embeddedArrays(text: string): Promise<Arrays> {
  const bytes = text && !text.startsWith("<!--") ? await inflate(fromBase64(text)) : new Uint8Array(0);
  return new Arrays(async (begin, end) => {
    if (end > bytes.length) throw new Error(`the page's data end at byte ${bytes.length}, ${end} are wanted`);
    return bytes.subarray(begin, end);
  });
}

function rangeReader(url: string): Reader {
  return async (begin, end) => {
    const answer = await fetch(url, { headers: { Range: `bytes=${begin}-${end - 1}` } });
    if (!answer.ok) throw new Error(`${url}: the server answers ${answer.status}`);
    const bytes = new Uint8Array(await answer.arrayBuffer());
    return answer.status === 206 ? bytes : bytes.subarray(begin, end);
  };
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; ++i) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

async function inflate(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

function keyOf(ref: ArrayRef): string {
  return `${ref.offset}:${ref.length}:${ref.type}`;
}

function endOf(ref: ArrayRef): number {
  return ref.offset + ref.length * bytesOf[ref.type];
}

function decode(ref: ArrayRef, bytes: Uint8Array, begin: number): Numbers {
  const stored = view(ref, bytes.slice(begin, begin + ref.length * bytesOf[ref.type]).buffer);
  if (ref.delta) undoDelta(stored, ref.width ?? 1);
  const { scale = 1, bias = 0 } = ref;
  const values = ref.type === "i32" ? new Float64Array(ref.length) : new Float32Array(ref.length);
  for (let i = 0; i < values.length; ++i) values[i] = bias + scale * stored[i]!;
  return values;
}

function view(ref: ArrayRef, buffer: ArrayBuffer) {
  switch (ref.type) {
    case "f32":
      return new Float32Array(buffer);
    case "i16":
      return new Int16Array(buffer);
    case "u16":
      return new Uint16Array(buffer);
    case "i32":
      return new Int32Array(buffer);
    case "u8":
      return new Uint8Array(buffer);
  }
}

// Sums in the stored type, whose arrays wrap around as the writer's did.
function undoDelta(stored: ReturnType<typeof view>, width: number): void {
  for (let i = width; i < stored.length; ++i) stored[i] = stored[i]! + stored[i - width]!;
}

// Numbers that grow while a run is live.
export class Growing {
  private values = new Float32Array(1024);
  length = 0;

  push(numbers: ArrayLike<number>): void {
    if (this.length + numbers.length > this.values.length) {
      const larger = new Float32Array(Math.max(2 * this.values.length, this.length + numbers.length));
      larger.set(this.values);
      this.values = larger;
    }
    this.values.set(numbers, this.length);
    this.length += numbers.length;
  }

  view(): Float32Array {
    return this.values.subarray(0, this.length);
  }
}
