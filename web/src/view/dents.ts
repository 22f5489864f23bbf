// The heights of cells that feet pressed in or heaved up, at the time shown: events are applied forwards and
// taken back backwards, so that scrubbing costs no more than what lies between.
import type { Arrays, Numbers } from "../data";
import type { Dents } from "../page";

export const tileCells = 16; // along each side of a tile

type Events = Numbers | Uint16Array | number[]; // one entry per event

export interface Tile {
  column: number; // in tiles
  row: number;
  heights: Float32Array; // of its cells, tileCells × tileCells
  changed: boolean;
}

export class DentField {
  readonly cell: number; // [m]
  readonly tiles = new Map<number, Tile>();
  deepest = 0; // [m], of all events
  private applied = 0; // events
  private frame: Events;
  private height: Events;
  private previous: Events; // what the cell was before
  private slotOf: Events;
  private tileOf: Tile[] = [];
  private latest = new Map<Tile, Float32Array>(); // of live runs: heights after all events

  constructor(dents: Dents | undefined, arrays: Arrays) {
    this.cell = dents?.cell ?? 0.01;
    [this.frame, this.height, this.previous, this.slotOf] = [[], [], [], []];
    if (!dents || dents.frame.length === 0) return;
    this.frame = arrays.get(dents.frame);
    this.height = arrays.get(dents.height);
    const count = this.frame.length;
    this.previous = new Float32Array(count);
    this.slotOf = new Uint16Array(count);
    const column = arrays.get(dents.column);
    const row = arrays.get(dents.row);
    for (let i = 0; i < count; ++i) {
      const [tile, slot] = this.place(column[i]!, row[i]!);
      this.tileOf.push(tile);
      this.slotOf[i] = slot;
      this.previous[i] = tile.heights[slot]!;
      tile.heights[slot] = this.height[i]!;
      this.deepest = Math.max(this.deepest, -this.height[i]!);
    }
    for (const tile of this.tiles.values()) tile.heights.fill(0);
  }

  get eventCount(): number {
    return this.applied;
  }

  // All events of frames up to `row` count.
  show(row: number): void {
    while (this.applied < this.frame.length && this.frame[this.applied]! <= row) {
      this.set(this.applied, this.height[this.applied]!);
      ++this.applied;
    }
    while (this.applied > 0 && this.frame[this.applied - 1]! > row) {
      --this.applied;
      this.set(this.applied, this.previous[this.applied]!);
    }
  }

  // An event of a live run, in frame `frame`; shown when that is.
  add(frame: number, column: number, row: number, height: number): void {
    const [tile, slot] = this.place(column, row);
    let latest = this.latest.get(tile);
    if (!latest) this.latest.set(tile, (latest = new Float32Array(tileCells * tileCells)));
    const events = [this.frame, this.height, this.previous, this.slotOf] as number[][];
    [frame, height, latest[slot]!, slot].forEach((value, i) => events[i]!.push(value));
    this.tileOf.push(tile);
    latest[slot] = height;
    this.deepest = Math.max(this.deepest, -height);
  }

  heightAt(column: number, row: number): number {
    const tile = this.tiles.get(tileKey(Math.floor(column / tileCells), Math.floor(row / tileCells)));
    if (!tile) return 0;
    return tile.heights[(row - tile.row * tileCells) * tileCells + (column - tile.column * tileCells)]!;
  }

  private set(event: number, height: number): void {
    const tile = this.tileOf[event]!;
    const slot = this.slotOf[event]!;
    tile.heights[slot] = height;
    this.touch(tile, slot);
  }

  // A cell at a tile's edge also bends the tiles beside it.
  private touch(tile: Tile, slot: number): void {
    tile.changed = true;
    const i = slot % tileCells;
    const j = Math.floor(slot / tileCells);
    const di = i <= 1 ? -1 : i === tileCells - 1 ? 1 : 0;
    const dj = j <= 1 ? -1 : j === tileCells - 1 ? 1 : 0;
    if (di) this.markChanged(tile.column + di, tile.row);
    if (dj) this.markChanged(tile.column, tile.row + dj);
    if (di && dj) this.markChanged(tile.column + di, tile.row + dj);
  }

  private markChanged(column: number, row: number): void {
    const tile = this.tiles.get(tileKey(column, row));
    if (tile) tile.changed = true;
  }

  // Tiles left of and below a tile's first cells exist too: the mesh of a tile ends at the next one's first
  // cells, so that the outer edge of all tiles is always undisturbed ground.
  private place(column: number, row: number): [Tile, number] {
    const [tileColumn, tileRow] = [Math.floor(column / tileCells), Math.floor(row / tileCells)];
    const [i, j] = [column - tileColumn * tileCells, row - tileRow * tileCells];
    const tile = this.tile(tileColumn, tileRow);
    if (i === 0) this.tile(tileColumn - 1, tileRow);
    if (j === 0) this.tile(tileColumn, tileRow - 1);
    if (i === 0 && j === 0) this.tile(tileColumn - 1, tileRow - 1);
    return [tile, j * tileCells + i];
  }

  private tile(column: number, row: number): Tile {
    const key = tileKey(column, row);
    let tile = this.tiles.get(key);
    if (!tile) {
      tile = { column, row, heights: new Float32Array(tileCells * tileCells), changed: true };
      this.tiles.set(key, tile);
    }
    return tile;
  }
}

function tileKey(column: number, row: number): number {
  return (row + 32768) * 65536 + (column + 32768);
}
