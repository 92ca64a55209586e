import { usePerson } from "../shell/Session.tsx"
import { ButtonLink } from "../ui/Button.tsx"
import { Notice } from "../ui/States.tsx"

/** Says that money cannot leave yet, where the account is not verified. */
export const NotVerified = () =>
  usePerson().status === "active" ? null : (
    <Notice
      tone="wait"
      title="Your account is not verified yet"
      action={<ButtonLink to="/verification">Verify it</ButtonLink>}
    >
      Money can come in, and be used in the arena and for orders. Transfers and withdrawals need a verified account.
    </Notice>
  )
