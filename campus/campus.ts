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
  translations: {
    bn: {
      tagline: "শিক্ষার্থীদের উদ্যোগে, শিক্ষার্থীদের জন্য",
      campus: "শাপলা বিশ্ববিদ্যালয়",
      city: "ঢাকা",
      country: "বাংলাদেশ",
      jurisdiction: "বাংলাদেশ",
      wallet: "বিকাশ",
      legal: {
        person: "শাপলা শিক্ষার্থী পরিবহন সমিতি",
        registration: "সোসাইটিজ রেজিস্ট্রেশন অ্যাক্ট, ১৮৬০ অনুযায়ী ঢাকায় নিবন্ধিত, নং S-0000 (উদাহরণ)",
        address: "কক্ষ ২০৪, ছাত্র-শিক্ষক কেন্দ্র, শাপলা বিশ্ববিদ্যালয়, ১২ পদ্মপুকুর রোড, ঢাকা ১২৯৯, বাংলাদেশ",
        enlistment: "RSS-0000 (উদাহরণ)",
        dataLocation: "ঢাকা, বাংলাদেশ",
        arbitrationSeat: "ঢাকা",
      },
    },
  },
  timeZone: "Asia/Dhaka",
  currency: { sign: "৳", code: "BDT" },
  wallet: "bKash",
  cash: true,
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
  sampleNames:
    "anika kabir nusrat tanvir farhana rafi sadia imran mitu arif lamia sohel priya hasan jui nadim tania shuvo rima fahim ishrat zayan bristi omar keya rakib moushumi sajid toma nayeem dola sami bonna habib afroza jamil shaila ridoy parvin ayman".split(
      " ",
    ),
  heroVehicle: "rickshaw",
  motifs: "delta",
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
