import { usePerson } from "../shell/Session.tsx"
import { ButtonLink } from "../ui/Button.tsx"
import { Notice } from "../ui/States.tsx"

/** Says that money cannot leave yet, where the account is not verified. Nothing else. */
export const NotVerified = () =>
  usePerson().status === "active" ? null : (
    <Notice
      tone="wait"
      title="Your account is not verified yet"
      action={<ButtonLink to="/account">Verify it</ButtonLink>}
    >
      Money can come in and be used in the arena. Paying orders, transfers and withdrawals need a verified account.
    </Notice>
  )
