export default function BlogPostPage() {
  return <h1>…</h1>;
}
