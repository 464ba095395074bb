export { grader } from '../../graders/tasks/tool-validation.mjs';
