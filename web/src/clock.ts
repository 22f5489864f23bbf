// The time shown. Everything that moves listens to it.
export class Clock {
  time = 0;
  duration: number;
  playing = false;
  speed = 1;
  private lastTick = 0;
  private listeners: ((clock: Clock) => void)[] = [];

  constructor(duration: number) {
    this.duration = duration;
  }

  listen(listener: (clock: Clock) => void): void {
    this.listeners.push(listener);
  }

  set(time: number): void {
    this.time = Math.min(Math.max(time, 0), this.duration);
    this.tell();
  }

  setSpeed(speed: number): void {
    this.speed = speed;
    this.tell();
  }

  play(): void {
    if (this.time >= this.duration) this.time = 0;
    this.playing = true;
    this.lastTick = 0;
    this.tell();
  }

  pause(): void {
    this.playing = false;
    this.tell();
  }

  toggle(): void {
    if (this.playing) this.pause();
    else this.play();
  }

  // Called for every picture, with the picture's time in milliseconds.
  tick(now: number): void {
    if (!this.playing) return;
    const elapsed = this.lastTick ? Math.min(now - this.lastTick, 250) / 1000 : 0;
    this.lastTick = now;
    this.time = Math.min(this.time + this.speed * elapsed, this.duration);
    if (this.time >= this.duration) this.playing = false;
    this.tell();
  }

  private tell(): void {
    for (const listener of this.listeners) listener(this);
  }
}
