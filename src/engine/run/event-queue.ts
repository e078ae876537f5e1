/**
 * A queue between a run and one reader. Writing never waits, however slow the reader is. `onLeave` is called if the
 * reader stops early.
 */
export class EventQueue<Item> implements AsyncIterableIterator<Item> {
  private items: Item[] = [];
  private read = 0;
  private ended = false;
  private waiting: ((result: IteratorResult<Item>) => void)[] = [];
  private readonly onLeave: () => void;

  constructor(onLeave: () => void) {
    this.onLeave = onLeave;
  }

  push(item: Item): void {
    if (this.ended) return;
    const reader = this.waiting.shift();
    if (reader) reader({ value: item, done: false });
    else this.items.push(item);
  }

  /** Ends the queue; items that were pushed before can still be read. */
  end(): void {
    this.ended = true;
    for (const reader of this.waiting.splice(0)) reader({ value: undefined, done: true });
  }

  next(): Promise<IteratorResult<Item>> {
    const item = this.items[this.read];
    if (item !== undefined) {
      this.read += 1;
      if (this.read === this.items.length) {
        this.items = [];
        this.read = 0;
      }
      return Promise.resolve({ value: item, done: false });
    }
    if (this.ended) return Promise.resolve({ value: undefined, done: true });
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  return(): Promise<IteratorResult<Item>> {
    this.items = [];
    this.read = 0;
    this.onLeave();
    this.end();
    return Promise.resolve({ value: undefined, done: true });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
