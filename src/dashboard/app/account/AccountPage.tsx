import { PageHead } from "../ui/PageHead.tsx"

/** Company and profile. */
const AccountPage = () => <PageHead title="Company and profile" />

export default AccountPage
