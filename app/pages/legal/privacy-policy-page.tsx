export default function PrivacyPolicyPage() {
  return <h1>…</h1>;
}
