import type { DataKindSetting } from "./schema.ts";

/**
 * What happens to each kind of data when an account is deleted. The deletion page, the privacy policy and the
 * mails all read this one list, so they cannot disagree. Keys stay once they are used; words stand beside them in every
 * language of the campus.
 */
export const dataKinds: readonly DataKindSetting[] = [
  {
    key: "identity",
    accounts: ["User", "Rider"],
    onDeletion: "deleted",
    words: {
      en: {
        kind: "Identity",
        examples: "name, student ID, profile photo, government ID",
      },
      bn: {
        kind: "পরিচয়",
        examples: "নাম, স্টুডেন্ট আইডি, প্রোফাইল ছবি, সরকারি পরিচয়পত্র",
      },
    },
  },
  {
    key: "contact",
    accounts: ["User", "Rider"],
    onDeletion: "deleted",
    words: {
      en: {
        kind: "Contact",
        examples: "email address, phone number",
      },
      bn: {
        kind: "যোগাযোগ",
        examples: "ইমেইল ঠিকানা, ফোন নম্বর",
      },
    },
  },
  {
    key: "education",
    accounts: ["User", "Rider"],
    onDeletion: "deleted",
    words: {
      en: {
        kind: "Education",
        examples: "university or college, campus",
      },
      bn: {
        kind: "শিক্ষা",
        examples: "বিশ্ববিদ্যালয় বা কলেজ, ক্যাম্পাস",
      },
    },
  },
  {
    key: "credentials",
    accounts: ["User", "Rider"],
    onDeletion: "deleted",
    words: {
      en: {
        kind: "Credentials",
        examples: "password, security questions",
      },
      bn: {
        kind: "লগইনের তথ্য",
        examples: "পাসওয়ার্ড, নিরাপত্তা প্রশ্ন",
      },
    },
  },
  {
    key: "ride-details",
    accounts: ["User", "Rider"],
    onDeletion: "deleted",
    words: {
      en: {
        kind: "Ride details",
        examples:
          "pick-up and drop-off, routes, times, fares and payments, bids and offers, cancellations, no-shows, ratings",
      },
      bn: {
        kind: "রাইডের বিবরণ",
        examples: "পিকআপ ও ড্রপ-অফ, রুট, সময়, ভাড়া ও পেমেন্ট, বিড ও অফার, বাতিল, নো-শো, রেটিং",
      },
    },
  },
  {
    key: "preferences",
    accounts: ["User", "Rider"],
    onDeletion: "deleted",
    words: {
      en: {
        kind: "Preferences",
        examples: "saved places, notification choices",
      },
      bn: {
        kind: "পছন্দের সেটিংস",
        examples: "সেভ করা জায়গা, নোটিফিকেশনের সেটিংস",
      },
    },
  },
  {
    key: "location-device-usage",
    accounts: ["User", "Rider"],
    onDeletion: "deleted",
    words: {
      en: {
        kind: "Location, device and usage data",
        examples: "location (with permission), device information, usage data and logs",
      },
      bn: {
        kind: "অবস্থান, ডিভাইস ও ব্যবহারের ডেটা",
        examples: "অবস্থান (অনুমতি থাকলে), ডিভাইসের তথ্য, ব্যবহারের ডেটা ও লগ",
      },
    },
  },
  {
    key: "driver-papers",
    accounts: ["Rider"],
    onDeletion: "deleted",
    words: {
      en: {
        kind: "Driver papers",
        examples: "driver's licence, vehicle registration, insurance",
      },
      bn: {
        kind: "চালকের কাগজপত্র",
        examples: "ড্রাইভিং লাইসেন্স, গাড়ির রেজিস্ট্রেশন, ইনস্যুরেন্স",
      },
    },
  },
  {
    key: "support-messages",
    accounts: ["User", "Rider"],
    onDeletion: "kept",
    words: {
      en: {
        kind: "Support messages",
        examples: "what you wrote to our mailbox and what we answered",
        when: "24 months after the last message",
        why: "so that a report or a dispute about a ride can still be settled",
      },
      bn: {
        kind: "সাপোর্টের বার্তা",
        examples: "আমাদের মেইলবক্সে আপনি যা লিখেছেন আর আমরা যে উত্তর দিয়েছি",
        when: "শেষ বার্তার পর ২৪ মাস",
        why: "যাতে কোনো রাইড নিয়ে অভিযোগ বা বিরোধ পরেও মেটানো যায়",
      },
    },
  },
  {
    key: "backup-copies",
    accounts: ["User", "Rider"],
    onDeletion: "kept",
    words: {
      en: {
        kind: "Backup copies",
        examples: "copies of our database, made in case the original is lost",
        when: "30 days at most",
        why: "because copies are overwritten in turn; whoever was deleted is deleted again if one has to be used",
      },
      bn: {
        kind: "ব্যাকআপ কপি",
        examples: "আসলটি হারিয়ে গেলে কাজে লাগানোর জন্য রাখা আমাদের ডেটাবেসের কপি",
        when: "সর্বোচ্চ ৩০ দিন",
        why: "কারণ পুরোনো কপির জায়গায় পালা করে নতুন কপি বসে; কোনো কপি কাজে লাগাতে হলে, মুছে ফেলা অ্যাকাউন্ট আবার মুছে ফেলা হয়",
      },
    },
  },
  {
    key: "deletion-request",
    accounts: ["User", "Rider"],
    onDeletion: "deleted",
    words: {
      en: {
        kind: "Your deletion request",
        examples: "the address and the feedback you typed into this form",
        when: "when your receipt has been delivered, or 30 days after the end of the request",
      },
      bn: {
        kind: "আপনার মুছে ফেলার অনুরোধ",
        examples: "এই ফর্মে আপনি যে ঠিকানা ও মন্তব্য লিখেছেন",
        when: "রসিদ আপনার কাছে পৌঁছালে, অথবা অনুরোধ শেষ হওয়ার ৩০ দিন পর",
      },
    },
  },
  {
    key: "proof",
    accounts: ["User", "Rider"],
    onDeletion: "kept",
    words: {
      en: {
        kind: "Proof that we did it",
        examples:
          "reference, dates, outcome, reason code, a scrambled form (keyed hash) of your address",
        when: "24 months",
        why: "so that an account restored from a backup by mistake is erased again, and so that we can show what we did",
      },
      bn: {
        kind: "কাজটি করার প্রমাণ",
        examples: "রেফারেন্স, তারিখ, ফলাফল, কারণের কোড, আপনার ঠিকানার এলোমেলো করা রূপ (চাবিযুক্ত হ্যাশ)",
        when: "২৪ মাস",
        why: "যাতে ব্যাকআপ থেকে ভুল করে ফিরে আসা অ্যাকাউন্ট আবার মুছে ফেলা যায়, আর আমরা কী করেছি তা দেখাতে পারি",
      },
    },
  },
];
