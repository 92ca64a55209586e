import { useState } from "react"
import { Card } from "../ui/Card.tsx"
import { TextField } from "../ui/Field.tsx"
import { PageHead } from "../ui/PageHead.tsx"
import { AuditEntries } from "./AuditTrail.tsx"

/** The audit log, looked through by who, what and whom. */
const AuditPage = () => {
  const [act, setAct] = useState("")
  const [actor, setActor] = useState("")
  const [subject, setSubject] = useState("")
  const query = {
    ...(act === "" ? {} : { act }),
    ...(actor === "" ? {} : { actor_id: actor }),
    ...(subject === "" ? {} : { subject_id: subject })
  }
  return (
    <>
      <PageHead title="Audit log" lead="What administrators and commands did, newest first. Entries never change." />
      <Card flush>
        <div className="list-filters">
          <TextField label="Act" placeholder="user.suspend" maxLength={64} value={act} onChange={setAct} />
          <TextField label="By" placeholder="Id of a user" maxLength={64} value={actor} onChange={setActor} />
          <TextField label="Of" placeholder="Id of what changed" maxLength={64} value={subject} onChange={setSubject} />
        </div>
        <AuditEntries
          key={JSON.stringify(query)}
          label="Audit log"
          query={query}
          withSubject
          none={Object.keys(query).length === 0 ? "Nothing was changed yet" : "No entry is like this"}
        />
      </Card>
    </>
  )
}

export default AuditPage
