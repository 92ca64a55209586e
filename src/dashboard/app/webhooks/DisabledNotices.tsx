import { useRows } from "../Data.ts"
import { ButtonLink } from "../ui/Button.tsx"
import { Notice } from "../ui/States.tsx"

/** As many endpoints as a company can have. */
const ALL = 100

/** How often it is asked for again, in milliseconds. */
const EACH = 30_000

/** Says which endpoints were disabled because they failed for too long. Nothing where none was. */
export const DisabledNotices = () => {
  const webhooks = useRows("GET /v1/webhooks", { query: { limit: ALL } }, { every: EACH })
  const disabled = (webhooks.data?.rows ?? []).filter(
    ({ disabled_cause: cause, status }) => status === "disabled" && cause === "failing"
  )
  return disabled.map(({ id, url }) => (
    <Notice
      key={id}
      tone="bad"
      title="An endpoint was disabled after failing for 5 days"
      action={
        <ButtonLink to={`/webhooks/${id}`} size="small">
          See why
        </ButtonLink>
      }
    >
      Nothing more is sent to <code>{url}</code> until it is enabled again.
    </Notice>
  ))
}
