export { grader } from '../../graders/tasks/storage-hash.mjs';
