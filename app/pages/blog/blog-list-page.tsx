export default function BlogListPage() {
  return <h1>…</h1>;
}
