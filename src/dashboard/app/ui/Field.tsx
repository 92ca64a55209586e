import { useId } from "react"
import type { FormEvent, InputHTMLAttributes, ReactNode, SelectHTMLAttributes, TextareaHTMLAttributes } from "react"

interface Labelled {
  readonly label: string
  /** What to write, and why. */
  readonly hint?: ReactNode
  /** What is wrong with what was written. */
  readonly error?: string | undefined
}

interface FrameProps extends Labelled {
  readonly id: string
  readonly children: ReactNode
}

const Frame = ({ id, label, hint, error, children }: FrameProps) => (
  <div className="field">
    <label htmlFor={id}>{label}</label>
    {children}
    {hint !== undefined && (
      <p className="hint" id={`${id}-hint`}>
        {hint}
      </p>
    )}
    {error !== undefined && (
      <p className="field-error" id={`${id}-error`} role="alert">
        {error}
      </p>
    )}
  </div>
)

const described = (id: string, { hint, error }: Labelled) => ({
  "aria-invalid": error !== undefined,
  "aria-describedby":
    [hint === undefined ? "" : `${id}-hint`, error === undefined ? "" : `${id}-error`].join(" ").trim() || undefined
})

type TextFieldProps = Labelled &
  Omit<InputHTMLAttributes<HTMLInputElement>, "onChange" | "id" | "value"> & {
    readonly value: string
    readonly onChange: (value: string) => void
  }

/** One line of text: `<TextField label="Name" value={name} onChange={setName} />` */
export const TextField = ({ label, hint, error, onChange, ...input }: TextFieldProps) => {
  const id = useId()
  return (
    <Frame id={id} label={label} hint={hint} error={error}>
      <input
        type="text"
        {...input}
        {...described(id, { label, hint, error })}
        id={id}
        onChange={(event) => onChange(event.target.value)}
      />
    </Frame>
  )
}

/** The words that a list is looked through for: `<SearchField placeholder="Part of the name" value={q} onChange={setQ} />` */
export const SearchField = (field: Omit<TextFieldProps, "label">) => (
  <TextField label="Search" type="search" maxLength={100} {...field} />
)

type TextAreaProps = Labelled &
  Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, "onChange" | "id" | "value"> & {
    readonly value: string
    readonly onChange: (value: string) => void
  }

/** Several lines of text. */
export const TextArea = ({ label, hint, error, onChange, ...input }: TextAreaProps) => {
  const id = useId()
  return (
    <Frame id={id} label={label} hint={hint} error={error}>
      <textarea
        rows={4}
        {...input}
        {...described(id, { label, hint, error })}
        id={id}
        onChange={(event) => onChange(event.target.value)}
      />
    </Frame>
  )
}

type SelectFieldProps<Value extends string> = Labelled &
  Omit<SelectHTMLAttributes<HTMLSelectElement>, "onChange" | "id" | "value"> & {
    readonly value: Value
    readonly onChange: (value: Value) => void
    readonly options: ReadonlyArray<readonly [Value, string]>
  }

/** One of several: `options={[["week", "Every week"], …]}`. */
export const SelectField = <Value extends string>(props: SelectFieldProps<Value>) => {
  const { label, hint, error, onChange, options, ...input } = props
  const id = useId()
  return (
    <Frame id={id} label={label} hint={hint} error={error}>
      <select
        {...input}
        {...described(id, { label, hint, error })}
        id={id}
        onChange={(event) => {
          const chosen = options.find(([value]) => value === event.target.value)
          if (chosen !== undefined) onChange(chosen[0])
        }}
      >
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </Frame>
  )
}

interface CheckFieldProps {
  readonly label: ReactNode
  readonly checked: boolean
  readonly onChange: (checked: boolean) => void
  readonly hint?: ReactNode
  readonly disabled?: boolean
}

/** A yes or no. */
export const CheckField = ({ label, checked, onChange, hint, disabled = false }: CheckFieldProps) => (
  <label className="check">
    <input type="checkbox" checked={checked} disabled={disabled} onChange={(event) => onChange(event.target.checked)} />
    <span>
      <span className="check-label">{label}</span>
      {hint !== undefined && <span className="hint">{hint}</span>}
    </span>
  </label>
)

interface FieldsetProps {
  readonly legend: string
  readonly hint?: ReactNode
  readonly children: ReactNode
}

/** Fields that belong together, such as checkboxes of one question. */
export const Fieldset = ({ legend, hint, children }: FieldsetProps) => (
  <fieldset>
    <legend>{legend}</legend>
    {hint !== undefined && <p className="hint">{hint}</p>}
    {children}
  </fieldset>
)

interface FormProps {
  readonly onSubmit: () => void
  readonly children: ReactNode
  readonly id?: string
}

/** A form that is sent by its `type="submit"` button or the enter key, never by the browser itself. */
export const Form = ({ onSubmit, children, id }: FormProps) => (
  <form
    id={id}
    className="form"
    onSubmit={(event: FormEvent) => {
      event.preventDefault()
      onSubmit()
    }}
  >
    {children}
  </form>
)

/** A form's buttons. */
export const Actions = ({ children }: { readonly children: ReactNode }) => <div className="actions">{children}</div>
