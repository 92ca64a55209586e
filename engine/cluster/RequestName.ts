/** The names of requests that nodes send for callers who gave no key: by its name each is executed once. */

/** Where a request was first sent, and since when it may have taken effect. */
export interface FirstSent {
  /** The name of the connection: that of a process of a node, which no other ever has, and a number that grows. */
  readonly connection: string
  /** Its number on that connection, from 1 on: each is higher than the one before. */
  readonly number: number
  /** An event that the node knew of before: what the request records has a higher sequence. */
  readonly behind: number
}

/** No key of a caller begins so: those are kept as hashes. */
const MARK = "@"

/** What stands in the place of the request's hash: nothing else is ever sent under a name. */
export const NAMED = "@"

const FORM = /^@(0|[1-9]\d{0,15})\/([0-9A-Za-z-]{1,48}\.[1-9]\d{0,9})\/([1-9]\d{0,15})$/

const CONNECTION = /^([0-9A-Za-z-]{1,48})\.([1-9]\d{0,9})$/

/** Which of a node's connections a name is of, by their count from 1 on; undefined where it is no such name. */
export const connectionOf = (text: string): { readonly node: string; readonly count: number } | undefined => {
  const [, node, count] = CONNECTION.exec(text) ?? []
  return node === undefined ? undefined : { node, count: Number(count) }
}

/** The name of a node's connection. */
export const connectionName = (node: string, count: number): string => `${node}.${count}`

/** The name of a request. */
export const requestName = ({ behind, connection, number }: FirstSent): string =>
  `${MARK}${behind}/${connection}/${number}`

/** Whether what an answer is kept under is such a name. */
export const isRequestName = (key: string): boolean => key.startsWith(MARK)

/** What a name says; undefined where it is none. */
export const firstSentOf = (name: string): FirstSent | undefined => {
  const [, behind, connection, number] = FORM.exec(name) ?? []
  const place = { connection: connection ?? "", behind: Number(behind), number: Number(number) }
  return Number.isSafeInteger(place.behind) && Number.isSafeInteger(place.number) ? place : undefined
}

/** A named request as a node sends it. */
export interface NamedRequest {
  readonly name: string
  /** It was never sent before. */
  readonly isFirst: boolean
}

/** A named request as it comes to the node that writes. */
export interface NamedSending extends NamedRequest {
  /** Whether its node still waits for the answer to this sending: else it may have sent the request again since. */
  readonly isAwaited: () => boolean
}
