/** Every drawing of the site that is written to a file by the build and shown by `<img>`. */
import type { Picture } from "./picture.ts";
import { postPictures } from "./post-pictures.tsx";

export const pictures: readonly Picture[] = [...postPictures];
