/** Who has how much of what, and how much of it is bound, in 10⁻⁶: sums of all that ever moved. */
export class PaperMoney {
  readonly #total = new Map<string, bigint>()
  readonly #held = new Map<string, bigint>()

  total(who: string, asset: string): bigint {
    return this.#total.get(`${who}/${asset}`) ?? 0n
  }

  free(who: string, asset: string): bigint {
    return this.total(who, asset) - (this.#held.get(`${who}/${asset}`) ?? 0n)
  }

  add(who: string, asset: string, amount: bigint): void {
    this.#total.set(`${who}/${asset}`, this.total(who, asset) + amount)
  }

  hold(who: string, asset: string, amount: bigint): void {
    this.#held.set(`${who}/${asset}`, (this.#held.get(`${who}/${asset}`) ?? 0n) + amount)
  }

  /** Moves it from one to another. */
  move(from: string, to: string, asset: string, amount: bigint): void {
    this.add(from, asset, -amount)
    this.add(to, asset, amount)
  }
}
