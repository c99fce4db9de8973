/** The pictures that a blog post can name: `picture: helmet` shows the drawing post-helmet. */
import type { Picture } from "./picture.tsx";
import { communityPictures } from "./posts-community.tsx";
import { lifestylePictures } from "./posts-lifestyle.tsx";
import { moneyPictures } from "./posts-money.tsx";
import { safetyPictures } from "./posts-safety.tsx";
import { technologyPictures } from "./posts-technology.tsx";

export const postPictures: readonly Picture[] = [
  ...safetyPictures,
  ...moneyPictures,
  ...communityPictures,
  ...technologyPictures,
  ...lifestylePictures,
];
