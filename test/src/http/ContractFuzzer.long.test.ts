import { fuzzEveryOperation } from "../../lib/ContractFuzz.ts"

/** 10⁵ requests in all: what is acceptable is also written into the tables. */
fuzzEveryOperation(650)
