/** Every drawing of the site that is written to a file by the build and shown by `<img>`. */
import { campusPictures } from "./campus-pictures.tsx";
import { heroPictures } from "./hero-pictures.tsx";
import { iconPictures } from "./icon-pictures.tsx";
import { noticePictures } from "./notice-pictures.tsx";
import type { Picture } from "./picture.ts";
import { postPictures } from "./post-pictures.tsx";
import { routePictures } from "./route-bike.tsx";
import { servicePictures } from "./service-pictures.tsx";
import { stepPictures } from "./step-pictures.tsx";
import { tilePictures } from "./tile-pictures.tsx";

export { postPictures };

export const pictures: readonly Picture[] = [
  ...heroPictures,
  ...servicePictures,
  ...stepPictures,
  ...tilePictures,
  ...noticePictures,
  ...campusPictures,
  ...iconPictures,
  ...postPictures,
  ...routePictures,
];
