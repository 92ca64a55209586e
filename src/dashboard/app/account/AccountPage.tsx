import { useState } from "react"
import { call, keepToken } from "../ApiCalls.ts"
import { useAct } from "../Data.ts"
import { usePerson, useSession } from "../shell/Session.tsx"
import { StatusBadge, wordsOf } from "../ui/Badge.tsx"
import { Button } from "../ui/Button.tsx"
import { Card, Columns, Facts } from "../ui/Card.tsx"
import { CopyId } from "../ui/CopyField.tsx"
import { Confirm } from "../ui/Dialog.tsx"
import { Actions, Form, TextField } from "../ui/Field.tsx"
import { PageHead } from "../ui/PageHead.tsx"
import { Problem } from "../ui/States.tsx"
import { When } from "../ui/Time.tsx"
import { useToasts } from "../ui/Toasts.tsx"
import { CompanyCard } from "./CompanyCard.tsx"
import { MailCheck } from "./MailCheck.tsx"
import { postalAddressOf, postalDraftOf } from "./PostalDraft.ts"
import { PostalFields } from "./PostalFields.tsx"
import { useSending } from "./Sending.ts"

const Profile = () => {
  const person = usePerson()
  return (
    <Card title="Profile" aside={<StatusBadge status={person.status} />}>
      <Facts
        rows={[
          ["Company", person.company_name],
          ["Company id", <CopyId key="company" value={person.company_id} />],
          ["Your id", <CopyId key="id" value={person.id} />],
          ["Email", `${person.email ?? "None"}${person.email_verified ? " (verified)" : ""}`],
          ["Role", wordsOf(person.role)],
          ["Member since", <When key="since" at={person.created_at} />]
        ]}
      />
    </Card>
  )
}

const Contact = () => {
  const person = usePerson()
  const { again } = useSession()
  const [phone, setPhone] = useState(person.phone ?? "")
  const [wallet, setWallet] = useState(person.wallet_address ?? "")
  const [address, setAddress] = useState(() => postalDraftOf(person.address))
  const save = useAct("PUT /api/v1/users/me", { done: "Saved", quiet: true, onDone: again })
  const submit = () => {
    const written = postalAddressOf(address)
    save.mutate({
      payload: {
        ...(phone === "" ? {} : { phone }),
        ...(wallet === "" ? {} : { wallet_address: wallet }),
        ...(written === null ? {} : { address: written })
      }
    })
  }
  return (
    <Card title="Your contact and wallet">
      <Form onSubmit={submit}>
        <TextField label="Phone" type="tel" autoComplete="tel" maxLength={32} value={phone} onChange={setPhone} />
        <TextField
          label="Wallet address"
          hint="0x and 40 hexadecimal digits. Trading and bots settle in its name."
          spellCheck={false}
          value={wallet}
          onChange={setWallet}
        />
        <PostalFields draft={address} onChange={setAddress} />
        <Problem error={save.error} />
        <Actions>
          <Button type="submit" look="main" busy={save.isPending}>
            Save
          </Button>
        </Actions>
      </Form>
    </Card>
  )
}

const Password = () => {
  const { say } = useToasts()
  const [current, setCurrent] = useState("")
  const [next, setNext] = useState("")
  const { busy, error, run } = useSending(async () => {
    const payload = { current_password: current, new_password: next }
    const { body } = await call("PUT /api/v1/users/me/password", { payload })
    keepToken(body.access_token, body.expires_in)
    setCurrent("")
    setNext("")
    say("good", "The password was changed, and every other session has ended")
  })
  return (
    <Card title="Password">
      <Form onSubmit={run}>
        <TextField
          label="Current password"
          type="password"
          autoComplete="current-password"
          required
          value={current}
          onChange={setCurrent}
        />
        <TextField
          label="New password"
          type="password"
          autoComplete="new-password"
          minLength={8}
          required
          hint="At least 8 characters. Every other session ends."
          value={next}
          onChange={setNext}
        />
        <Problem error={error} />
        <Actions>
          <Button type="submit" busy={busy}>
            Change password
          </Button>
        </Actions>
      </Form>
    </Card>
  )
}

const Everywhere = () => {
  const [isAsking, setAsking] = useState(false)
  const { signOut } = useSession()
  const end = useAct("POST /v1/logout/everywhere", { onDone: signOut })
  return (
    <Card title="Sessions">
      <div className="stack">
        <p className="soft">Ends every session, token and stream of yours, on every device and in every program.</p>
        <Actions>
          <Button look="danger" icon="exit" onClick={() => setAsking(true)}>
            Sign out everywhere
          </Button>
        </Actions>
      </div>
      {isAsking && (
        <Confirm
          title="Sign out everywhere?"
          act="Sign out everywhere"
          busy={end.isPending}
          onConfirm={() => end.mutate({})}
          onClose={() => setAsking(false)}
        >
          <p>This browser is signed out too. API clients keep working: delete those you no longer trust.</p>
        </Confirm>
      )}
    </Card>
  )
}

/** The person's record, their password and sessions. */
const AccountPage = () => (
  <>
    <PageHead title="Company and profile" lead="Who you are here, and how you sign in." />
    <MailCheck />
    <Columns>
      <div className="stack">
        <Profile />
        <Password />
        <Everywhere />
      </div>
      <div className="stack">
        <CompanyCard />
        <Contact />
      </div>
    </Columns>
  </>
)

export default AccountPage
