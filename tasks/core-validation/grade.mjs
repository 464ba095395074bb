export { grader } from '../../graders/tasks/core-validation.mjs';
