import type { CampusSettings } from "./schema.ts";

/** Who this campus is: names, addresses and promises. `schema.ts` says what each field means. */
export const campus: CampusSettings = {
  product: "CampusRide",
  developer: "CampusRide Student Team",
  tagline: "By the students, for the students",
  campus: "Shapla University",
  city: "Dhaka",
  country: "Bangladesh",
  jurisdiction: "Bangladesh",
  language: "en",
  translations: {},
  timeZone: "Asia/Dhaka",
  currency: { sign: "৳", code: "BDT" },
  wallet: "bKash",
  email: "support@campusride.example",
  security: {
    contact: "mailto:security@campusride.example",
    expires: "2027-10-31",
    policy: "",
  },
  emergency: "911",
  localEmergency: "999",
  policyDate: "July 2025",
  legal: {
    person: "Shapla Students' Transport Society",
    registration:
      "registered in Dhaka under the Societies Registration Act, 1860, no. S-0000 (example)",
    address:
      "Room 204, Teacher-Student Centre, Shapla University, 12 Lotus Pond Road, Dhaka 1299, Bangladesh",
    enlistment: "RSS-0000 (example)",
    dataLocation: "Dhaka, Bangladesh",
    arbitrationSeat: "Dhaka",
  },
  deletionBusinessDays: { target: 7, limit: 10 },
  categories: ["Safety", "Money Saving", "Community", "Technology", "Lifestyle"],
  defaultCategory: "Safety",
  links: {
    download: "https://get.campusride.example/app",
    joinAsRider: "https://get.campusride.example/rider",
  },
  heroVehicle: "rickshaw",
  social: [
    { name: "Facebook", url: "https://social.campusride.example/facebook" },
    { name: "LinkedIn", url: "" },
  ],
  stores: [
    {
      name: "Google Play",
      operatingSystem: "Android",
      url: "https://play.campusride.example/store",
    },
    { name: "App Store", operatingSystem: "iOS", url: "" },
  ],
};
