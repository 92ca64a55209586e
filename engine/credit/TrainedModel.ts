import type { CreditModel } from "./CreditModel.ts"

/** Made by `bun scripts/train-credit-model.ts`, never by hand. */
export const trainedModel: CreditModel = {
  version: "2026-11-21-8048cd84",
  trainedOn: "2026-11-21",
  base: 492,
  annualIncome: {
    cuts: [
      14000, 20000, 23000, 25000, 35000, 37000, 40000, 45000, 47000, 50000, 55000, 60000, 68000, 70000, 80000, 90000,
      110000, 115000, 119000
    ],
    points: {
      debt_consolidation: {
        tenant: [-222, -201, -36, -36, -36, -5, -5, -5, 6, 6, 6, 6, 6, 6, 6, 21, 40, 40, 40, 40],
        owner: [-218, -196, -32, -32, -32, -4, -4, -4, 7, 7, 7, 7, 7, 7, 7, 21, 40, 40, 40, 40]
      },
      education: {
        tenant: [-230, -209, -38, -38, -38, -13, -13, -6, -6, -6, -6, 1, 2, 2, 2, 35, 36, 36, 36, 45],
        owner: [-221, -199, -26, -26, -26, -8, -8, -6, -6, -6, -6, 7, 7, 7, 7, 43, 57, 57, 57, 65]
      },
      home_improvement: {
        tenant: [-531, -510, -345, -345, -345, -326, -318, -249, -249, -249, -21, 25, 57, 57, 57, 84, 84, 84, 84, 97],
        owner: [-236, -214, -50, -50, -50, -34, -26, 36, 36, 36, 58, 58, 58, 58, 58, 84, 84, 84, 84, 97]
      },
      medical: {
        tenant: [-213, -192, -27, -27, -27, -8, -8, -8, -8, -8, -8, -8, -8, 27, 27, 42, 42, 71, 94, 94],
        owner: [-209, -187, -23, -23, -23, -7, -7, -7, -7, -7, -7, -7, -7, 28, 28, 42, 42, 71, 94, 94]
      },
      personal: {
        tenant: [-274, -253, -74, -66, -66, -15, -15, -15, -1, -1, -1, 5, 15, 15, 17, 35, 35, 35, 35, 35],
        owner: [-250, -228, -50, -50, -50, -4, -4, -4, 0, 0, 0, 5, 17, 17, 17, 72, 72, 72, 72, 72]
      },
      venture: {
        tenant: [-272, -251, -62, -62, -51, -16, -16, -16, -16, -5, 20, 20, 20, 20, 20, 35, 35, 35, 35, 35],
        owner: [-263, -241, -28, -28, -12, 21, 21, 21, 21, 21, 21, 21, 21, 21, 21, 35, 35, 35, 35, 35]
      }
    }
  },
  homeOwnership: {
    tenant: {
      debt_consolidation: -28,
      education: -28,
      home_improvement: -28,
      medical: -28,
      personal: -28,
      venture: -28
    },
    owner: { debt_consolidation: 14, education: 28, home_improvement: 19, medical: 14, personal: 32, venture: 61 }
  },
  empLength: { cuts: [2, 3], points: [-9, -5, 5] },
  loanAmt: { cuts: [2000, 2500, 15000, 19500, 25000], points: [42, 28, 8, -19, -46, -94] },
  purpose: { debt_consolidation: -34, education: 27, home_improvement: -34, medical: -19, personal: 8, venture: 38 },
  loanToIncome: {
    cuts: [1500, 1600, 1700, 2700, 2900, 3000, 3100],
    points: { tenant: [40, 38, 35, 24, 16, 5, -69, -403], owner: [40, 38, 36, 27, 25, 22, 8, -27] }
  },
  unknownPurpose: "debt_consolidation",
  evidence: {
    data: "e59ebc54148ce4f517ed86aeea9637ece0ca3a634167db5163d1f0b8c770c3e1",
    seed: "emporion-credit-1",
    applications: 26064,
    heldOut: 5169,
    auc: 0.8241,
    crossValidatedAuc: 0.8255,
    brier: 0.1058,
    brierOfMean: 0.1722,
    calibration: [
      { lowest: 300, highest: 340, applications: 516, predicted: 942534, observed: 945736 },
      { lowest: 342, highest: 462, applications: 517, predicted: 356234, observed: 317215 },
      { lowest: 462, highest: 489, applications: 517, predicted: 229083, observed: 235977 },
      { lowest: 489, highest: 510, applications: 517, predicted: 177723, observed: 170213 },
      { lowest: 510, highest: 526, applications: 517, predicted: 139874, observed: 145068 },
      { lowest: 526, highest: 544, applications: 517, predicted: 115363, observed: 123791 },
      { lowest: 544, highest: 570, applications: 517, predicted: 86260, observed: 106383 },
      { lowest: 570, highest: 593, applications: 517, predicted: 63540, observed: 77369 },
      { lowest: 593, highest: 639, applications: 517, predicted: 43488, observed: 52224 },
      { lowest: 639, highest: 713, applications: 517, predicted: 22395, observed: 38685 }
    ]
  }
}
