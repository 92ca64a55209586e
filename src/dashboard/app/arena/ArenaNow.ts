import { useSyncExternalStore } from "react"
import { after, now } from "../Platform.ts"
import { useNow } from "../ui/Time.tsx"
import { LiveArena, type LiveState } from "./LiveArena.ts"

let live: LiveArena | undefined

const arena = (): LiveArena => {
  live ??= new LiveArena({ url: location.origin, now, after })
  return live
}

const subscribe = (listener: () => void): (() => void) => arena().subscribe(listener)

const state = (): LiveState => arena().state()

/** The arena as it is, anew whenever something happens in it. One connection serves all pages. */
export const useLiveArena = (): LiveState => useSyncExternalStore(subscribe, state)

/** The server's clock in milliseconds since 1970, for countdowns: the browser's, put right by what the stream tells. */
export const useArenaTime = ({ ahead }: LiveState, each = 1_000): number => useNow(each) + ahead
