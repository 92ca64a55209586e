import { useEffect, useState } from "react"
import { every, now } from "../Platform.ts"
import { sinceOf, timeOf } from "./Format.ts"

/** The browser's clock, read anew every so many milliseconds: for countdowns and for "3 minutes ago". */
export const useNow = (each = 1_000): number => {
  const [time, setTime] = useState(now)
  useEffect(() => every(each, () => setTime(now())), [each])
  return time
}

interface WhenProps {
  /** A timestamp of the platform, or milliseconds since 1970. */
  readonly at: string | number
  /** How it is said; by default as a moment. */
  readonly as?: "moment" | "distance"
}

const Distance = ({ at }: { readonly at: string | number }) => {
  const time = useNow(15_000)
  return <time title={timeOf(at)}>{sinceOf(at, time)}</time>
}

/** A moment in the person's own zone, or its distance from now. */
export const When = ({ at, as = "moment" }: WhenProps) =>
  as === "distance" ? <Distance at={at} /> : <time className="when">{timeOf(at)}</time>
