/** `a2a-typed/files`: tasks as JSON files in a folder. */
export { fileStore, type FileStoreOptions } from "./store/files/file-store.js";
