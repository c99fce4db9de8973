import type { DataListSetting } from "./schema.ts";

/**
 * Where data lies, and what happens to each kind of it when an account is deleted. The deletion page, the privacy policy,
 * the operators' checklist, an account system's answer and the receipt all read this one list, so they cannot disagree.
 * Keys stay once they are used; words stand beside them in every language of the campus.
 */
export const dataList: DataListSetting = {
  /** The places, in the order in which they are emptied. */
  stores: [
    {
      key: "accounts",
      holder: "us",
      words: { en: "our account database", bn: "আমাদের অ্যাকাউন্টের ডেটাবেস" },
    },
    {
      key: "rides",
      holder: "us",
      words: { en: "our ride database", bn: "আমাদের রাইডের ডেটাবেস" },
    },
    {
      key: "papers",
      holder: "us",
      words: { en: "our folder of driver papers", bn: "চালকের কাগজপত্রের ফোল্ডার" },
    },
    // We tell the wallet that the account is gone; what it keeps then is between it and its customer.
    {
      key: "wallet",
      holder: "recipient",
      told: "by-operator",
      words: { en: "the digital wallet", bn: "ডিজিটাল ওয়ালেট" },
    },
    {
      key: "support-mail",
      holder: "recipient",
      told: "by-itself",
      words: { en: "our support mailbox", bn: "আমাদের সাপোর্ট মেইলবক্স" },
    },
    {
      key: "server-logs",
      holder: "recipient",
      told: "by-itself",
      words: { en: "our servers", bn: "আমাদের সার্ভার" },
    },
    {
      key: "mail-provider",
      holder: "recipient",
      told: "by-itself",
      words: { en: "our mail provider", bn: "আমাদের মেইল সেবাদাতা" },
    },
    {
      key: "host-backups",
      holder: "recipient",
      told: "by-itself",
      words: { en: "our host's backups", bn: "আমাদের হোস্টের ব্যাকআপ" },
    },
    {
      key: "deletion-page",
      holder: "this-site",
      words: { en: "this website", bn: "এই ওয়েবসাইট" },
    },
  ],
  /** Days until the last backup copy that holds deleted data is overwritten. */
  backupDays: 30,
  kinds: [
    {
      key: "identity",
      store: "accounts",
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
      store: "accounts",
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
      store: "accounts",
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
      store: "accounts",
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
      store: "rides",
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
      store: "accounts",
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
      store: "rides",
      accounts: ["User", "Rider"],
      onDeletion: "deleted",
      words: {
        en: {
          kind: "Location, device and usage data",
          examples: "location (with permission), device information, usage data",
        },
        bn: {
          kind: "অবস্থান, ডিভাইস ও ব্যবহারের ডেটা",
          examples: "অবস্থান (অনুমতি থাকলে), ডিভাইসের তথ্য, ব্যবহারের ডেটা",
        },
      },
    },
    {
      key: "driver-papers",
      store: "papers",
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
      key: "wallet-payments",
      store: "wallet",
      accounts: ["User", "Rider"],
      onDeletion: "kept",
      words: {
        en: {
          kind: "Payments",
          examples: "what the wallet itself recorded: amount, time, both numbers",
          when: "as long as the law makes the wallet keep it",
          why: "because it is your account with the wallet, not ours",
        },
        bn: {
          kind: "পেমেন্ট",
          examples: "ওয়ালেট নিজে যা লিখে রেখেছে: টাকার অঙ্ক, সময়, দুজনের নম্বর",
          when: "আইন অনুযায়ী ওয়ালেটকে যতদিন রাখতে হয়",
          why: "কারণ সেটি ওয়ালেটের সঙ্গে আপনার অ্যাকাউন্ট, আমাদের নয়",
        },
      },
    },
    {
      key: "support-messages",
      store: "support-mail",
      accounts: ["User", "Rider"],
      onDeletion: "kept",
      words: {
        en: {
          kind: "Support messages",
          examples: "what you wrote and what we answered",
          when: "24 months after the last message",
          why: "so that a dispute about a ride can still be settled",
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
      key: "logs",
      store: "server-logs",
      accounts: ["User", "Rider"],
      onDeletion: "kept",
      words: {
        en: {
          kind: "Logs",
          examples: "what the app and its servers did",
          when: "90 days",
          why: "so that we can find faults and misuse",
        },
        bn: {
          kind: "লগ",
          examples: "অ্যাপ আর তার সার্ভারের টেকনিক্যাল রেকর্ড",
          when: "৯০ দিন",
          why: "যাতে ত্রুটি ও অপব্যবহার ধরা যায়",
        },
      },
    },
    {
      key: "mail-records",
      store: "mail-provider",
      accounts: ["User", "Rider"],
      onDeletion: "kept",
      words: {
        en: {
          kind: "Delivery records",
          examples: "that an email went to you, and when",
          when: "30 days at most",
          why: "so that our mail provider can find out why an email did not arrive",
        },
        bn: {
          kind: "মেইল পৌঁছানোর রেকর্ড",
          examples: "আপনার ঠিকানায় আমাদের কোনো মেইল গেছে কি না, আর কখন",
          when: "সর্বোচ্চ ৩০ দিন",
          why: "যাতে কোনো মেইল না পৌঁছালে আমাদের মেইল সেবাদাতা কারণ খুঁজে পায়",
        },
      },
    },
    {
      key: "backup-copies",
      store: "host-backups",
      accounts: ["User", "Rider"],
      onDeletion: "kept",
      words: {
        en: {
          kind: "Backup copies",
          examples: "copies of our database",
          when: "30 days at most",
          why: "because copies are overwritten in turn; if one has to be used, your data is deleted again",
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
      store: "deletion-page",
      accounts: ["User", "Rider"],
      onDeletion: "deleted",
      words: {
        en: {
          kind: "Deletion request",
          examples: "the address and the feedback you typed into this form",
          when: "when your receipt has been delivered, or 30 days after the end",
        },
        bn: {
          kind: "মুছে ফেলার অনুরোধ",
          examples: "এই ফর্মে আপনি যে ঠিকানা ও মন্তব্য লিখেছেন",
          when: "রসিদ আপনার কাছে পৌঁছালে, অথবা অনুরোধ শেষ হওয়ার ৩০ দিন পর",
        },
      },
    },
    {
      key: "proof",
      store: "deletion-page",
      accounts: ["User", "Rider"],
      onDeletion: "kept",
      words: {
        en: {
          kind: "Proof that we did it",
          examples:
            "reference, dates, outcome, reason code, a scrambled form of your address, which is a keyed hash",
          when: "24 months",
          why: "so that an account restored by mistake is erased again, and so that we can show what we did",
        },
        bn: {
          kind: "কাজটি করার প্রমাণ",
          examples: "রেফারেন্স, তারিখ, ফলাফল, কারণের কোড, আপনার ঠিকানার চাবিযুক্ত হ্যাশ, মানে এলোমেলো করা রূপ",
          when: "২৪ মাস",
          why: "যাতে ব্যাকআপ থেকে ভুল করে ফিরে আসা অ্যাকাউন্ট আবার মুছে ফেলা যায়, আর আমরা কী করেছি তা দেখাতে পারি",
        },
      },
    },
  ],
  /**
   * How somebody whose mailbox is closed can show that the account is theirs, the least asking first. An operator names
   * one of them when entering the request.
   */
  ownershipProofs: [
    {
      key: "old-mailbox-forwards",
      words: {
        en: "mail to the old address still reaches them, and they answered it",
        bn: "পুরোনো ঠিকানার মেইল এখনো তাঁর কাছে পৌঁছায়, আর তিনি উত্তর দিয়েছেন",
      },
    },
    {
      key: "last-ride",
      words: {
        en: "they know the day, the start and the end of a ride of the last months",
        bn: "গত কয়েক মাসের একটি রাইডের দিন, শুরু ও শেষ তিনি জানেন",
      },
    },
    {
      key: "payment",
      words: {
        en: "they know a payment: amount, day and the last digits of the wallet's number",
        bn: "একটি পেমেন্টের অঙ্ক, দিন ও ওয়ালেট নম্বরের শেষ কয়েকটি অঙ্ক তিনি জানেন",
      },
    },
    {
      key: "student-office",
      words: {
        en: "the student office confirmed whose the old address was",
        bn: "পুরোনো ঠিকানাটি কার ছিল, স্টুডেন্ট অফিস তা নিশ্চিত করেছে",
      },
    },
    {
      key: "in-person",
      words: {
        en: "they came by and showed a student card",
        bn: "তিনি নিজে এসে স্টুডেন্ট কার্ড দেখিয়েছেন",
      },
    },
  ],
};
