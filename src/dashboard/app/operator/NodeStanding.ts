import type { Answer } from "../Contract.ts"
import type { Tone } from "../ui/Badge.tsx"

type Nodes = Answer<"GET /v1/nodes">
type Node = Nodes["nodes"][number]

/** What a node does, in a word, and how that looks. */
export interface Standing {
  readonly word: string
  readonly tone: Tone
}

/** What a node does now. */
export const standingOf = ({ connected_since, writes }: Node, { serving_since }: Nodes): Standing => {
  if (connected_since === null) return { word: "Gone", tone: writes ? "bad" : "wait" }
  if (!writes) return { word: "Stands by", tone: "plain" }
  return serving_since === null ? { word: "Takes over", tone: "wait" } : { word: "Writes", tone: "good" }
}

/** What an operator should look after; undefined where all is well. */
export const concernOf = ({ nodes, serving_since, writer }: Nodes): string | undefined => {
  if (nodes.length === 0) return undefined
  const writing = nodes.find(({ address }) => address === writer)
  if (writing === undefined || writing.connected_since === null || serving_since === null) {
    return "No node takes requests at the moment. Another one takes over within seconds."
  }
  const gone = nodes.filter(({ connected_since }) => connected_since === null).map(({ address }) => address)
  if (gone.length > 0)
    return `${gone.join(", ")} ${gone.length === 1 ? "is" : "are"} gone. Start it again, or leave it out.`
  return nodes.length === 1
    ? "Nobody stands by: when this node ends, trading stops until it is started again."
    : undefined
}
