import type { PostListing } from "../../../campus-reader/posts.ts";
import { Picture } from "../../ui/picture.tsx";

/** The drawing of a post. `decorative` where the post's title stands beside it and the picture adds nothing. */
export function PostPicture({
  post,
  eager = false,
  decorative = false,
}: {
  post: PostListing;
  eager?: boolean;
  decorative?: boolean;
}) {
  return (
    <Picture name={`post-${post.picture}`} alt={decorative ? "" : post.imageAlt} eager={eager} />
  );
}
