import { fuzzEveryOperation, sendUnknownFields } from "../../lib/ContractFuzz.ts"

fuzzEveryOperation(6)
sendUnknownFields()
