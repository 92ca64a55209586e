import { fuzzEveryOperation, sendUnknownFields } from "../../lib/ContractFuzz.ts"

fuzzEveryOperation(2)
sendUnknownFields()
