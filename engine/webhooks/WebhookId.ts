const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"

/** Letters of 5 bits that come from the hash. */
const HASH_LETTERS = 21

/** Letters of 5 bits that count the messages of one recorded event: up to 32,768, more than the largest order has. */
const INDEX_LETTERS = 3

const letters = (value: bigint, count: number): string =>
  Array.from({ length: count }, (_, place) => ALPHABET[Number((value >> BigInt(5 * (count - 1 - place))) & 31n)]).join(
    ""
  )

/** The bits that follow those of the letters: they cover the count, which would tell how many others are told. */
const COVER = 30

/**
 * The id of a webhook's event, such as `evt_4k2m…`: always the same for the same message of a recorded event, and no
 * other event's. It tells neither how many events there are nor what follows it.
 *
 * @param hash - the recorded event's hash, in hex
 * @param index - the message's place among those of its event, from 0
 */
export const webhookEventId = (hash: string, index: number): string => {
  const bits = BigInt(`0x${hash.slice(0, 28)}`) >> BigInt(28 * 4 - HASH_LETTERS * 5)
  const cover = BigInt(`0x${hash.slice(0, COVER)}`) & 0x7fffn
  return `evt_${letters(bits, HASH_LETTERS)}${letters(BigInt(index) ^ cover, INDEX_LETTERS)}`
}
