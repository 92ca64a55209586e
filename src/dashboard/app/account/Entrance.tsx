import { useState } from "react"
import type { ReactNode } from "react"
import { Link, Route, Switch, useLocation } from "wouter"
import { call } from "../ApiCalls.ts"
import { Brand } from "../shell/Brand.tsx"
import { useSession } from "../shell/Session.tsx"
import { ThemeSwitch } from "../shell/Shell.tsx"
import { Button } from "../ui/Button.tsx"
import { Form, TextField } from "../ui/Field.tsx"
import { Problem } from "../ui/States.tsx"
import { OtherWays } from "./OtherWays.tsx"
import { useSending } from "./Sending.ts"

interface FrameProps {
  readonly title: string
  readonly lead: ReactNode
  readonly children: ReactNode
}

const Frame = ({ title, lead, children }: FrameProps) => (
  <div className="entrance">
    <header className="entrance-head">
      <Brand />
      <ThemeSwitch />
    </header>
    <main className="entrance-card">
      <h1>{title}</h1>
      <p className="page-lead">{lead}</p>
      {children}
    </main>
    <footer className="entrance-foot">
      <a href="/docs">API reference</a>
      <a href="/openapi.json">OpenAPI document</a>
    </footer>
  </div>
)

const SignIn = () => {
  const { signIn } = useSession()
  const [email, setEmail] = useState("")
  const [password, setPassword] = useState("")
  const { busy, error, run } = useSending(() => signIn(email, password))
  return (
    <Frame
      title="Sign in"
      lead={
        <>
          New here? <Link href="/register">Create an account</Link>
        </>
      }
    >
      <Form onSubmit={run}>
        <TextField label="Email" type="email" autoComplete="username" required value={email} onChange={setEmail} />
        <TextField
          label="Password"
          type="password"
          autoComplete="current-password"
          required
          value={password}
          onChange={setPassword}
        />
        <Problem error={error} />
        <Button type="submit" look="main" busy={busy}>
          Sign in
        </Button>
        <Link href="/forgot" className="entrance-link">
          Forgot your password?
        </Link>
      </Form>
      <OtherWays />
    </Frame>
  )
}

const Register = () => {
  const { signIn } = useSession()
  const [, go] = useLocation()
  const [company, setCompany] = useState("")
  const [name, setName] = useState("")
  const [email, setEmail] = useState("")
  const [password, setPassword] = useState("")
  const { busy, error, run } = useSending(async () => {
    await call("POST /api/v1/auth/register", {
      payload: { email, password, company_name: company, ...(name === "" ? {} : { contact_name: name }) }
    })
    await signIn(email, password)
    go("/")
  })
  return (
    <Frame
      title="Create an account"
      lead={
        <>
          Already have one? <Link href="/">Sign in</Link>
        </>
      }
    >
      <Form onSubmit={run}>
        <TextField label="Company" autoComplete="organization" required value={company} onChange={setCompany} />
        <TextField label="Your name" autoComplete="name" value={name} onChange={setName} />
        <TextField label="Email" type="email" autoComplete="username" required value={email} onChange={setEmail} />
        <TextField
          label="Password"
          type="password"
          autoComplete="new-password"
          minLength={8}
          required
          hint="At least 8 characters."
          value={password}
          onChange={setPassword}
        />
        <Problem error={error} />
        <Button type="submit" look="main" busy={busy}>
          Create account
        </Button>
      </Form>
      <OtherWays />
    </Frame>
  )
}

const Forgot = () => {
  const [email, setEmail] = useState("")
  const [sent, setSent] = useState(false)
  const { busy, error, run } = useSending(async () => {
    await call("POST /api/v1/auth/password/forgot", { payload: { email } })
    setSent(true)
  })
  return (
    <Frame title="Reset your password" lead={<Link href="/">Back to signing in</Link>}>
      {sent ? (
        <p className="prose">If {email} has an account, a message with a token to set a new password is on its way.</p>
      ) : (
        <Form onSubmit={run}>
          <TextField label="Email" type="email" autoComplete="username" required value={email} onChange={setEmail} />
          <Problem error={error} />
          <Button type="submit" look="main" busy={busy}>
            Send the message
          </Button>
        </Form>
      )}
      {sent && (
        <Link href="/reset" className="button usual">
          <span>I have a token</span>
        </Link>
      )}
    </Frame>
  )
}

const Reset = () => {
  const [, go] = useLocation()
  const [token, setToken] = useState("")
  const [password, setPassword] = useState("")
  const { busy, error, run } = useSending(async () => {
    await call("POST /api/v1/auth/password/reset", { payload: { token, password } })
    go("/")
  })
  return (
    <Frame title="Set a new password" lead={<Link href="/">Back to signing in</Link>}>
      <Form onSubmit={run}>
        <TextField label="Token from the message" required value={token} onChange={setToken} />
        <TextField
          label="New password"
          type="password"
          autoComplete="new-password"
          minLength={8}
          required
          hint="At least 8 characters. Every session of yours ends."
          value={password}
          onChange={setPassword}
        />
        <Problem error={error} />
        <Button type="submit" look="main" busy={busy}>
          Set password
        </Button>
      </Form>
    </Frame>
  )
}

/** What is seen by somebody who is not signed in. Every other address asks to sign in, and then shows its page. */
export const Entrance = () => (
  <Switch>
    <Route path="/register">
      <Register />
    </Route>
    <Route path="/forgot">
      <Forgot />
    </Route>
    <Route path="/reset">
      <Reset />
    </Route>
    <Route>
      <SignIn />
    </Route>
  </Switch>
)
