/** Inputs that the document of the seed prints results for. */

/** The table of the document: a hundred employees. */
export const employees = (departments = ["Eng", "Marketing", "Design", "Sales"]): Record<string, unknown>[] =>
  Array.from({ length: 100 }, (_, i) => ({
    name: `Employee ${i}`,
    department: departments[i % 4],
    salary: 60_000 + i * 500,
  }));

/** The papers of its sample task. */
export const papers = [
  { title: "Quantum Error Correction Advances", year: 2025, authors: "Chen et al." },
  { title: "Topological Quantum Computing Survey", year: 2024, authors: "Nakamura et al." },
  { title: "Fault-Tolerant Logical Qubits", year: 2024, authors: "Wang et al." },
];

/** The text of its sample artifact. */
export const abstract = [
  "Quantum computing has seen rapid advances in error correction.",
  "Recent work demonstrates fault-tolerant logical qubits at scale.",
  "This paper surveys progress in quantum error correction from 2023-2025.",
  "We review surface codes, color codes, and novel hybrid approaches.",
  "Key results include a 10x reduction in logical error rates.",
  "These improvements bring practical quantum computing closer to reality.",
  "We also discuss remaining challenges in qubit connectivity.",
  "Finally, we outline a roadmap for achieving fault-tolerant quantum computation.",
].join("\n");

/** What its sample task says. */
export const found =
  "I found three recent papers on quantum computing and retrieved the abstract for the most recent one.";

const text = (average: number, stdev: number, minimum: number, maximum: number, sample: string) => [
  {
    name: "string",
    count: 100,
    percentage: 100,
    sample_value: sample,
    length_minimum: minimum,
    length_maximum: maximum,
    length_average: average,
    length_stdev: stdev,
  },
];

/**
 * The summary of the table as it is printed, for the departments that it is printed for: the document calls `Eng`
 * "Engineering" in the result. Its samples are any value of the column; here it is the first.
 */
export const employeeColumns = [
  { count: 100, unique_count: 100, types: text(10.9, 0.3, 10, 11, "Employee 0"), name: "name" },
  { count: 100, unique_count: 4, types: text(7.75, 2.4, 5, 11, "Engineering"), name: "department" },
  {
    count: 100,
    unique_count: 100,
    types: [
      {
        name: "int",
        count: 100,
        percentage: 100,
        sample_value: 60_000,
        minimum: 60_000,
        maximum: 109_500,
        average: 84_750,
        stdev: 14_505.75,
      },
    ],
    name: "salary",
  },
];

/** The departments of the printed result. */
export const printedDepartments = ["Engineering", "Marketing", "Design", "Sales"];
