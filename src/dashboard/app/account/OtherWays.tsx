import { useState } from "react"
import { useLocation } from "wouter"
import { Button } from "../ui/Button.tsx"
import { Form, TextField } from "../ui/Field.tsx"
import { providerAddress, shopAddress, waysOf } from "./SignInWays.ts"

/** What the page's head says of the other ways to sign in on this server. */
const told = (): string => document.querySelector<HTMLMetaElement>('meta[name="sign-in"]')?.content ?? ""

interface ShopProps {
  /** Every shop is one name below it. */
  readonly domain: string
  readonly back: string
}

const Shop = ({ back, domain }: ShopProps) => {
  const [isAsked, setAsked] = useState(false)
  const [name, setName] = useState("")
  if (!isAsked) {
    return (
      <Button icon="cart" onClick={() => setAsked(true)}>
        Continue with your shop
      </Button>
    )
  }
  return (
    <Form onSubmit={() => location.assign(shopAddress(name, domain, back))}>
      <TextField
        label="Shop"
        hint={`Its name, or its address below ${domain}.`}
        placeholder={`northwind.${domain}`}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus
        required
        value={name}
        onChange={setName}
      />
      <Button type="submit" icon="cart">
        Continue to the shop
      </Button>
    </Form>
  )
}

/** The ways to sign in beside a password, where the server has some. */
export const OtherWays = () => {
  const [path] = useLocation()
  const { provider, shops } = waysOf(told())
  if (!provider && shops === undefined) return null
  return (
    <>
      <p className="or">
        <span>or</span>
      </p>
      <div className="other-ways">
        {provider && (
          <a className="button usual" href={providerAddress(path)}>
            <span>Continue with your identity provider</span>
          </a>
        )}
        {shops !== undefined && <Shop domain={shops} back={path} />}
      </div>
    </>
  )
}
