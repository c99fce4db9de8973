/** One picture for each blog post, named post-<id>. */
import type { Picture } from "./picture.ts";

export const postPictures: readonly Picture[] = [];
