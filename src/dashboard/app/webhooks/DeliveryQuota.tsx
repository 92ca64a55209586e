import { Link } from "wouter"
import { useApi } from "../Data.ts"
import { count } from "../ui/Format.ts"
import { Meter } from "../ui/Meter.tsx"
import { Loaded, Notice } from "../ui/States.tsx"
import { When } from "../ui/Time.tsx"

/** How often the day's deliveries are asked for again, in milliseconds. */
const EVERY = 30_000

/** How many of the day's webhook deliveries are used. */
export const DeliveryQuota = () => {
  const quota = useApi("GET /v1/webhooks/quota", {}, { every: EVERY })
  return (
    <Loaded of={quota} lines={1}>
      {({ deliveries, held, limit }) => (
        <Meter
          label="Webhook deliveries today"
          value={deliveries}
          max={limit ?? Number.POSITIVE_INFINITY}
          text={
            (limit === null ? `${count(deliveries)}, no limit` : `${count(deliveries)} of ${count(limit)}`) +
            (held > 0 ? `, ${count(held)} wait` : "")
          }
        />
      )}
    </Loaded>
  )
}

/** Says that deliveries wait for the next day. Nothing while there is room. */
export const HeldNotice = () => {
  const { data } = useApi("GET /v1/webhooks/quota", {}, { every: EVERY })
  if (data === undefined || data.held === 0) return null
  return (
    <Notice
      tone="wait"
      title={`${count(data.held)} ${data.held === 1 ? "delivery waits" : "deliveries wait"} for room`}
    >
      The {count(data.deliveries)} deliveries of the day are used. Those that wait go on by themselves{" "}
      <When at={data.resets_at} as="distance" />, or once the company has a larger <Link href="/plan">plan</Link>.
    </Notice>
  )
}
