/** What goes out together. */
const MAX_TOGETHER = 100

/** The characters from which on what is gathered is not kept back for more. */
const MAX_CHARACTERS = 262_144

/** What is sent: a body, and what else may have to be said with it. */
interface Sendable {
  readonly body: string
  readonly outline?: string
  readonly values?: ReadonlyArray<string>
}

const NO_VALUES: ReadonlyArray<string> = []

const charactersOf = ({ body, outline = "", values = NO_VALUES }: Sendable): number => {
  let characters = body.length + outline.length
  for (const value of values) characters += value.length
  return characters
}

/** Gathers what is to be sent in one turn of the event loop, so that it goes out in one message. */
export class GatheredSending<Item extends Sendable> {
  readonly #send: (items: ReadonlyArray<Item>) => void
  readonly #later: (run: () => void) => unknown
  #items: Array<Item> = []
  #characters = 0

  /** @param later - runs something at the end of the turn */
  constructor(send: (items: ReadonlyArray<Item>) => void, later: (run: () => void) => unknown = setImmediate) {
    this.#send = send
    this.#later = later
  }

  add(item: Item): void {
    this.#items.push(item)
    this.#characters += charactersOf(item)
    if (this.#items.length >= MAX_TOGETHER || this.#characters >= MAX_CHARACTERS) this.#flush()
    else if (this.#items.length === 1) this.#later(() => this.#flush())
  }

  /** What was gathered and is not sent. */
  take(): ReadonlyArray<Item> {
    const items = this.#items
    this.#items = []
    this.#characters = 0
    return items
  }

  #flush(): void {
    const items = this.take()
    if (items.length > 0) this.#send(items)
  }
}
