import { useState } from "react"
import { useAct } from "../Data.ts"
import { usePerson, useSession } from "../shell/Session.tsx"
import { Button } from "../ui/Button.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { Actions, Form, TextField } from "../ui/Field.tsx"
import { Notice, Problem } from "../ui/States.tsx"

const TokenDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const [token, setToken] = useState("")
  const { again } = useSession()
  const verify = useAct("POST /api/v1/auth/email/verify", {
    done: "The email is verified",
    quiet: true,
    onDone: () => {
      onClose()
      again()
    }
  })
  return (
    <Dialog title="Verify your email" onClose={onClose}>
      <Form onSubmit={() => verify.mutate({ payload: { token: token.trim() } })}>
        <TextField
          label="Token from the message"
          autoComplete="one-time-code"
          spellCheck={false}
          required
          value={token}
          onChange={setToken}
        />
        <Problem error={verify.error} />
        <Actions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="main" busy={verify.isPending}>
            Verify
          </Button>
        </Actions>
      </Form>
    </Dialog>
  )
}

/** Asks to verify one's email. Nothing where it is, or where there is none. */
export const MailCheck = () => {
  const { email, email_verified: isVerified } = usePerson()
  const [isAsked, setAsked] = useState(false)
  const send = useAct("POST /api/v1/users/me/email/verification", { done: "The message is on its way" })
  if (email === null || isVerified) return null
  return (
    <>
      <Notice
        title="Your email is not verified yet"
        action={
          <span className="row">
            <Button size="small" busy={send.isPending} onClick={() => send.mutate({})}>
              Send again
            </Button>
            <Button size="small" onClick={() => setAsked(true)}>
              Enter the token
            </Button>
          </span>
        }
      >
        A message with a token was sent to {email}. Signing in at an identity provider needs it.
      </Notice>
      {isAsked && <TokenDialog onClose={() => setAsked(false)} />}
    </>
  )
}
